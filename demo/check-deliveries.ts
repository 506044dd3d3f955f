import type { Ledger } from "./ledger.ts";
import { summary } from "./orders.ts";
import { count } from "./progress.ts";
import type { Receiver } from "./receiver.ts";
import type { Check } from "./report.ts";
import { until } from "./until.ts";

const QUIET_MS = 1_000;
const LIMIT_MS = 60_000;
const LIMIT_MS_EACH = 20;

/** Waits until every allotment of the ledger has been delivered, and then until nothing more arrives for a second. */
export async function waitForDeliveries(receiver: Receiver, ledger: Ledger): Promise<void> {
  const limitMs = LIMIT_MS + LIMIT_MS_EACH * ledger.allotments.size;
  await until(limitMs, () => undelivered(receiver, ledger).length === 0);
  const last = { total: 0, atMs: performance.now() };
  await until(limitMs, () => {
    const now = total(receiver);
    if (now !== last.total) Object.assign(last, { total: now, atMs: performance.now() });
    return performance.now() - last.atMs > QUIET_MS;
  });
}

/** Checks that the receiver's data equals the ledger's. */
export function checkDeliveries(receiver: Receiver, ledger: Ledger): readonly Check[] {
  const lost = undelivered(receiver, ledger);
  const unknown = [...receiver.allotments.keys()].filter((uid) => !ledger.allotments.has(uid));
  const differing = [...receiver.allotments].filter(
    ([uid, points]) => (ledger.allotments.get(uid) ?? points) !== points,
  );
  return [
    { name: `both signatures of ${count(total(receiver))} deliveries are right`, fault: summary(receiver.refused) },
    {
      name: "every allotment was delivered, with its points, and no other",
      fault: summary([
        ...lost.map((uid) => `${uid} never came`),
        ...unknown.map((uid) => `${uid} is no allotment`),
        ...differing.map(([uid, points]) => `${uid} came with ${points} points`),
      ]),
    },
  ];
}

function undelivered(receiver: Receiver, { allotments }: Ledger): string[] {
  return [...allotments].flatMap(([uid, points]) => (points === 0n || receiver.allotments.has(uid) ? [] : [uid]));
}

function total({ deliveries, repeats }: Receiver): number {
  return [...deliveries.values()].reduce((sum, { size }) => sum + size, repeats);
}
