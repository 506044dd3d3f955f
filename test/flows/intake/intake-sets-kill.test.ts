import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { orderPaid, orderRefunded, orderShipped } from "../../support/order-wires.ts";
import { waitUntil } from "../../support/wait-until.ts";

const PROCESSOR = fileURLToPath(new URL("../../support/process-until-killed.ts", import.meta.url));
const ORDERS = 1_500;
const CUSTOMERS = 100;
const KILLS = 8;
const KILL_AFTER_MS_MAX = 40;

let service: IntakeService;
beforeAll(async () => {
  service = await startIntakeService({ program: { store: { currency: "JPY" } } });
  const orders = Array.from({ length: ORDERS }, (_, n) => `K-${n}`);
  const stories = orders.map((order, n) => [
    orderPaid(order, `C-${n % CUSTOMERS}`, 1),
    orderShipped(order, "a", 2),
    orderRefunded(order, "a", 3),
    orderShipped(order, "b", 4),
  ]);
  for (let n = 0; n < 4; n++) {
    for (let from = 0; from < ORDERS; from += 500) {
      const events = stories.slice(from, from + 500).map((story) => story[n]);
      expect((await service.client.post("/intake/events", events)).status).toBe(202);
    }
  }
});
afterAll(() => service.stop());

async function doneCount(): Promise<number> {
  const [row] = await service.deps.db.query<{ count: bigint }>("select count(*) from receipt where state = 'done'");
  return Number(row?.count);
}

/** Starts a node of its own process and kills it at some moment after it processed something, if anything is left. */
async function killInTheMiddle(): Promise<void> {
  const child = spawn(process.execPath, [PROCESSOR, JSON.stringify(service.connection)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  const before = await doneCount();
  await waitUntil(async () => (await doneCount()) > before || before === ORDERS * 4);
  await delay(Math.random() * KILL_AFTER_MS_MAX);
  child.kill("SIGKILL");
  const [, signal] = await closed;
  expect(signal).toBe("SIGKILL");
}

test("8 kills of two nodes that process the same backlog: every event counts once, none fails", async () => {
  const progress: number[] = [];
  const node = async () => {
    for (let kill = 0; kill < KILLS / 2 && (await doneCount()) < ORDERS * 3; kill++) {
      await killInTheMiddle();
      progress.push(await doneCount());
    }
  };
  await Promise.all([node(), node()]);
  expect(progress.length).toBeGreaterThan(1);
  await service.drain();
  const states = await service.deps.db.query("select state, sum(attempts)::int as failures from receipt group by 1");
  expect(states).toEqual([{ state: "done", failures: 0 }]);
  const totals = await service.deps.db.query(
    "select count(*)::int as balances, min(ledger_points)::int as least, max(ledger_points)::int as most from balance",
  );
  const points = (ORDERS / CUSTOMERS) * 35;
  expect(totals).toEqual([{ balances: CUSTOMERS, least: points, most: points }]);
  const lines: string[] = [];
  await verifyLedger(service.deps.db, (line) => lines.push(line), ORDER_CHECKS);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
});
