import { selectCustomer } from "../../customers/customer-queries.ts";
import { readTagsAt } from "../../customers/tags/read-tags-at.ts";
import type { Tx } from "../../db/pool.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { readProgramVersion } from "../../program/read-program-version.ts";
import { processedAt } from "../facts/order-facts.ts";
import { lockOrder, selectPostings } from "../order-queries.ts";
import { postOrder } from "../post-order.ts";
import { selectProducts } from "../products/select-products.ts";
import type { OrderPostingRow, StoreOrder } from "../store-order.ts";
import { type RecomputedPoints, selectOrderPoints } from "./recompute-queries.ts";
import { type RulesChange, refreshedRules } from "./refreshed-rules.ts";

/** The result of computing an order again. */
export interface RecomputedOrder {
  readonly isChanged: boolean;
  readonly before: RecomputedPoints;
  readonly after: RecomputedPoints;
  /** Its new postings, with what the balances gave or took. */
  readonly postings: readonly OrderPostingRow[];
  readonly change: RulesChange;
}

/**
 * Computes an order's points again with the present data about its products' tags and its customer's tags at its processed time, and
 * otherwise with its own rules' snapshot (program.md 4). Posts the difference in the caller's transaction like an event of the order would,
 * with the same plan and natural keys, so that repeating it changes nothing. Locks the order, then coupons, then balances. Undefined: the
 * order is unknown.
 */
export async function recomputeOrder(tx: Tx, deps: PostingDeps, orderId: string): Promise<RecomputedOrder | undefined> {
  const order = await lockOrder(tx, orderId);
  if (order === undefined) return undefined;
  const [before, rowsBefore] = await Promise.all([selectOrderPoints(tx, orderId), selectPostings(tx, orderId)]);
  const { rules, change } = await refresh(tx, order);
  await postOrder(tx, deps, { ...order, rules });
  const [after, rowsAfter] = await Promise.all([selectOrderPoints(tx, orderId), selectPostings(tx, orderId)]);
  const known = new Set(rowsBefore.map(({ cause }) => cause));
  const postings = rowsAfter.filter(({ cause, requested }) => !known.has(cause) && requested !== 0n);
  const isChanged =
    postings.length + change.products.length > 0 || change.customerExcluded !== null || !isSame(before, after);
  return { isChanged, before, after, postings, change };
}

async function refresh(
  tx: Tx,
  { rules, customer, facts, receivedAt }: StoreOrder,
): Promise<{ readonly rules: StoreOrder["rules"]; readonly change: RulesChange }> {
  if (rules === null) return { rules, change: { products: [], customerExcluded: null } };
  const instant = processedAt(facts) ?? receivedAt;
  const [products, program, buyer] = await Promise.all([
    selectProducts(tx, [...rules.products.keys()]),
    readProgramVersion(tx, rules.programVersion),
    customer === null ? undefined : selectCustomer(tx, customer),
  ]);
  const isKnown = buyer !== undefined && buyer.deletedAt === null;
  const customerTags = isKnown
    ? await readTagsAt(tx, { customer: buyer, namedId: facts.stated.customerId, instant })
    : null;
  return refreshedRules(rules, { products, program, customerTags });
}

function isSame(a: RecomputedPoints, b: RecomputedPoints): boolean {
  return (
    a.awardablePoints === b.awardablePoints &&
    a.awardedPoints === b.awardedPoints &&
    a.redeemedPoints === b.redeemedPoints &&
    a.forgivenPoints === b.forgivenPoints
  );
}
