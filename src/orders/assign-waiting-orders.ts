import type { Db } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { lockAssignableOrder, selectWaitingPage } from "./order-queries.ts";
import { postOrder } from "./post-order.ts";
import { EACH_MAX, runEach } from "./run-each.ts";
import type { StoreOrder } from "./store-order.ts";

type AssignDeps = PostingDeps & Pick<Deps, "db" | "log">;

/** The e-mails that one statement reads, and how long a call reads them. A store may have more guests than customers: the next call continues. */
const LIMITS = { pageEmails: 1_000, lookMs: 200 };

/** The e-mail up to which this process has looked, by database. */
const lookedUpTo = new WeakMap<Db, string>();

/**
 * Gives guests' orders to customers who got the e-mail other than by a platform's event, for example by `PUT` or CSV (program.md 4), one order per
 * transaction. Each call looks at some of the e-mails under which orders wait and continues where the last one ended, so its cost does not grow with the
 * number of waiting orders. Returns how many orders were processed.
 */
export async function assignWaitingOrders(
  deps: AssignDeps,
  { pageEmails, lookMs }: typeof LIMITS = LIMITS,
): Promise<number> {
  const startedMs = performance.now();
  for (let assigned = 0; ; ) {
    const page = await selectWaitingPage(deps.db, lookedUpTo.get(deps.db) ?? "", pageEmails);
    const emails = page.flatMap(({ email, hasOneHolder }) => (hasOneHolder ? [email] : []));
    const done = emails.length === 0 ? 0 : await assignOrdersOf(deps, emails);
    assigned += done;
    const isWhole = done < EACH_MAX;
    const isEnd = isWhole && page.length < pageEmails;
    if (isWhole) lookedUpTo.set(deps.db, isEnd ? "" : (page.at(-1)?.email ?? ""));
    if (isEnd || performance.now() - startedMs >= lookMs) return assigned;
  }
}

function assignOrdersOf(deps: AssignDeps, emails: readonly string[]): Promise<number> {
  return runEach<StoreOrder>(deps, {
    what: "assigning a guest's order",
    idOf: ({ orderId }) => orderId,
    lockNext: (tx, seen) => lockAssignableOrder(tx, emails, seen),
    work: (tx, order) => postOrder(tx, deps, order),
  });
}
