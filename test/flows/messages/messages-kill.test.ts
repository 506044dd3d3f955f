import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { upsertCustomers } from "../../../src/customers/upsert-customers.ts";
import { changeMessage } from "../../../src/messages/change-message.ts";
import { sendMessages } from "../../../src/messages/send-messages.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { smtpSettings } from "../../support/smtp.ts";
import { waitUntil } from "../../support/wait-until.ts";

const NODE = fileURLToPath(new URL("../../support/message-until-killed.ts", import.meta.url));
const CUSTOMERS = 4_000;
const KILLS = 6;
const KILL_AFTER_MS_MAX = 40;
const NOW = "2026-03-01T03:00:00Z";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: NOW,
    config: { mail: smtpSettings({ port: 1 }) },
    program: { store: { currency: "JPY", time_zone: "Asia/Tokyo" } },
  });
  const patches = Array.from({ length: CUSTOMERS }, (_, n) => ({
    storefrontId: String(n),
    email: `${n}@example.com`,
    birthday: "--03-01",
    acceptsMarketing: true,
  }));
  for (let n = 0; n < CUSTOMERS; n += 500)
    await service.deps.db.tx((tx) => upsertCustomers(tx, service.deps, patches.slice(n, n + 500)));
  await changeMessage(service.deps, { kind: "birthday", isOn: true, daysBefore: 14, texts: {} });
  await service.deps.db.execute("update message_rule set hourly_max = 100000");
  await service.deps.db.execute("update message_pace set budget = 16000");
});
afterAll(() => service.stop());

async function queuedCount(): Promise<number> {
  const [row] = await service.deps.db.query<{ count: bigint }>("select count(*) from mail");
  return Number(row?.count);
}

/** Starts a node of its own process and kills it at some moment while messages are being queued. */
async function killInTheMiddle(): Promise<void> {
  const child = spawn(process.execPath, [NODE, JSON.stringify(service.connection), NOW], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  const before = await queuedCount();
  await waitUntil(async () => (await queuedCount()) > before || before === CUSTOMERS);
  await delay(Math.random() * KILL_AFTER_MS_MAX);
  child.kill("SIGKILL");
  await closed;
}

test("two nodes that are killed again and again queue each customer's message once, and miss nobody", async () => {
  const progress: number[] = [];
  const node = async () => {
    for (let kill = 0; kill < KILLS / 2; kill++) {
      await killInTheMiddle();
      progress.push(await queuedCount());
    }
  };
  await Promise.all([node(), node()]);
  expect(progress[0]).toBeLessThan(CUSTOMERS);
  await waitUntil(async () => (await sendMessages(service.deps)) === 0);
  const [sums] = await service.deps.db.query(
    `select count(*)::int as mails,
      count(distinct customer_uid)::int as customers,
      (select count(*)::int from message_sent) as occasions
    from mail`,
  );
  expect(sums).toEqual({ mails: CUSTOMERS, customers: CUSTOMERS, occasions: CUSTOMERS });
});
