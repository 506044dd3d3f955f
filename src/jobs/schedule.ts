import { advanceBookmarks } from "../allotments/advance-bookmarks.ts";
import { expireCoupons } from "../coupons/expire-coupons.ts";
import { nextCouponDueAt } from "../coupons/next-coupon-due-at.ts";
import type { Deps } from "../deps.ts";
import { exportUrl } from "../exports/export-url.ts";
import { pruneExports } from "../exports/prune-exports.ts";
import { runExports } from "../exports/run-exports.ts";
import { pruneIdempotency } from "../http/prune-idempotency.ts";
import { nextReceiptDueAt } from "../intake/next-receipt-due-at.ts";
import { processAllReceipts } from "../intake/process-all-receipts.ts";
import { pruneReceipts } from "../intake/prune-receipts.ts";
import { runReceipts } from "../intake/run-receipts.ts";
import { adoptWaitingOrders } from "../orders/adopt-waiting-orders.ts";
import { awardPendingOrders } from "../orders/award-pending-orders.ts";
import { nextAwardDueAt } from "../orders/next-award-due-at.ts";
import type { DueWork } from "../sandbox/due-work.ts";
import { nextDueAt } from "../webhooks/next-due-at.ts";
import { pruneWebhookLog } from "../webhooks/prune-webhook-log.ts";
import { runDeliveries } from "../webhooks/run-deliveries.ts";
import type { Chore, Loop, LoopContext } from "./worker.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;

/** What a node of role `all` or `worker` does as long as it runs. */
export const LOOPS: readonly Loop[] = [
  {
    name: "receipts",
    run: (deps, { signal, wakes }) => runReceipts(deps, { signal, onWake: hear(wakes, "receipts") }),
  },
  { name: "exports", run: (deps, { signal, wakes }) => runExports(deps, { signal, onWake: hear(wakes, "exports") }) },
  {
    name: "deliveries",
    run: (deps, { signal, wakes }) =>
      runDeliveries(deps, { signal, onWake: hear(wakes, "deliveries"), exportUrl: (uid) => exportUrl(deps, uid) }),
  },
];

/** What such a node does from time to time. */
export const CHORES: readonly Chore[] = [
  { name: "pending awards", everyMs: SECOND_MS, run: awardPendingOrders },
  { name: "orders that waited for their customer", everyMs: 10 * SECOND_MS, run: adoptWaitingOrders },
  { name: "coupons that end", everyMs: 10 * SECOND_MS, run: expireCoupons },
  { name: "settled mark and bookmarks", everyMs: 5 * SECOND_MS, run: advanceBookmarks },
  { name: "prune idempotency", everyMs: HOUR_MS, run: pruneIdempotency },
  { name: "prune receipts", everyMs: HOUR_MS, run: pruneReceipts },
  { name: "prune exports", everyMs: HOUR_MS, run: pruneExports },
  { name: "prune webhook log", everyMs: HOUR_MS, run: pruneWebhookLog },
];

/** What falls due by the business clock, in the order in which it is done at one instant: the sandbox clock steps through it. */
export function dueWorkOf(deps: Deps): readonly DueWork[] {
  return [
    { name: "receipts", nextDueAt: () => nextReceiptDueAt(deps), run: () => processAllReceipts(deps) },
    {
      name: "coupons that end",
      nextDueAt: () => nextCouponDueAt(deps.db),
      run: async () => void (await expireCoupons(deps)),
    },
    {
      name: "pending awards",
      nextDueAt: () => nextAwardDueAt(deps.db),
      run: async () => void (await awardPendingOrders(deps)),
    },
    { name: "deliveries", nextDueAt: () => nextDueAt(deps.db), run: async () => deps.wake.deliveries() },
  ];
}

function hear(wakes: LoopContext["wakes"], kind: keyof Deps["wake"]): (listener: () => void) => () => void {
  return (listener) => wakes.on(kind, listener);
}
