import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Type } from "typebox";
import { anything, type DemoClient } from "./client.ts";
import { DemoError } from "./demo-error.ts";
import { demoProgram } from "./program.ts";
import { type Receiver, TOPICS } from "./receiver.ts";
import { CATALOGUE } from "./season/catalogue.ts";
import type { DemoService } from "./start-service.ts";

const subscribed = Type.Object({ data: Type.Object({ secret: Type.String() }) });
const taken = Type.Object({ data: Type.Array(Type.Object({ status: Type.String() })) });

/** Applies the shop's program with the command that a store would use; returns its version. Throws DemoError. */
export async function applyProgram(service: DemoService, folder: string): Promise<string> {
  const file = join(folder, "program.json");
  await writeFile(file, JSON.stringify(demoProgram(Temporal.Now.instant()), null, 2));
  const { code, output } = await service.command(["program", "apply", file]);
  if (code !== 0) throw new DemoError(`The program was not applied:\n${output}`);
  return /Version (\d+) is valid/.exec(output)?.[1] ?? "?";
}

/** Subscribes the receiver to every topic. */
export async function subscribe(client: DemoClient, receiver: Receiver): Promise<void> {
  for (const topic of TOPICS) {
    const body = { topic, callback_url: receiver.callbackUrl(topic) };
    const { data } = await client.call("POST", "/api/storefront/webhooks", subscribed, { body });
    receiver.secrets.set(topic, data.secret);
  }
}

/** Sends the products' tags and collections, which orders do not contain, and waits until they are stored. */
export async function sendProducts(client: DemoClient): Promise<void> {
  const events = CATALOGUE.map(({ id, tags, collections }) => ({
    type: "ProductUpserted",
    payload: { product_id: id, tags, collections },
  }));
  const { data } = await client.call("POST", "/intake/events", taken, {
    body: { events },
    headers: { prefer: "wait=20" },
  });
  if (data.some(({ status }) => status !== "done")) {
    throw new DemoError(`The products were not taken: ${JSON.stringify(data)}`);
  }
}

/** Requests the export of everything so far; the receiver gets its file. */
export async function requestExport(client: DemoClient): Promise<void> {
  const now = Temporal.Now.instant();
  const body = {
    start_datetime: now.subtract({ hours: 48 }).toString(),
    end_datetime: now.add({ hours: 1 }).toString(),
  };
  await client.call("POST", "/api/storefront/point_balances/export", anything, { body });
}
