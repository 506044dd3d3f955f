import { createServer } from "node:http";
import { Type } from "typebox";
import { Value } from "typebox/value";
import type { Deps } from "../../src/deps.ts";
import { exportUrl } from "../../src/exports/export-url.ts";
import type { WakeHub } from "../../src/jobs/wake-hub.ts";
import { runDeliveries } from "../../src/webhooks/delivery/run-deliveries.ts";
import { createSubscription } from "../../src/webhooks/subscriptions/create-subscription.ts";
import { readText } from "../receiver.ts";

/** A host name that no network has: after this process has ended, what the service still sends goes nowhere. */
const HOST = "points.wakaba.example";
const LOCKED_CUSTOMERS = 3;
const BUSY_EVERY = 40;

const balanceUpdate = Type.Object({
  customer: Type.Object({ storefront_id: Type.Union([Type.Integer(), Type.String()]) }),
});

/**
 * Delivers every change of a balance from now on to a made-up shop. The shop has faults: it permanently refuses the first few customers, so that
 * their deliveries use up their retries in 12 days, and it is sometimes too busy. Ends with the demo.
 */
export async function deliverToShop(
  deps: Deps,
  wakes: WakeHub,
  onEnd: (stop: () => Promise<unknown>) => void,
): Promise<void> {
  const { port, close } = await startShop();
  const ending = new AbortController();
  await deps.db.tx((tx) =>
    createSubscription(tx, deps, { topic: "point_balance/update", callbackUrl: `http://${HOST}:${port}/balances` }),
  );
  const loop = runDeliveries(deps, {
    signal: ending.signal,
    onWake: (listener) => wakes.on("deliveries", listener),
    exportUrl: (uid) => exportUrl(deps, uid),
    resolver: async () => ["127.0.0.1"],
  });
  onEnd(async () => {
    ending.abort();
    await loop;
    await close();
  });
}

async function startShop(): Promise<{ port: number; close(): Promise<void> }> {
  const locked = new Set<string>();
  let requests = 0;
  const server = createServer(async (request, response) => {
    const customer = customerOf(await readText(request));
    if (locked.size < LOCKED_CUSTOMERS) locked.add(customer);
    requests += 1;
    if (locked.has(customer)) response.writeHead(500).end(`{"error":"member ${customer} is locked"}`);
    else if (requests % BUSY_EVERY === 0) response.writeHead(503).end("Too busy, try again");
    else response.writeHead(200).end("ok");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address !== null ? address.port : 0,
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function customerOf(body: string): string {
  const payload: unknown = JSON.parse(body);
  return Value.Check(balanceUpdate, payload) ? String(payload.customer.storefront_id) : "";
}
