import { selectCustomer } from "../../customers/customer-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { Program } from "../../program/program.ts";
import { processedAt } from "../facts/order-facts.ts";
import { readOrder, selectPostings } from "../order-queries.ts";
import { unpinnedProducts } from "../plan/order-state.ts";
import { planOrderPostings } from "../plan/plan-order-postings.ts";
import { pointsAwarded } from "../plan/planned-posting.ts";
import { selectProducts } from "../products/select-products.ts";
import { readOrderRules } from "../read-order-rules.ts";
import { countOrdersSince, selectSampleOrders } from "./preview-review-queries.ts";

/** The effect on earlier orders of a program that starts in the past, whatever the balances have. */
export interface ReviewEffect {
  /** The orders of its time. */
  readonly orders: number;
  /** How many of them were evaluated: all, or a sample from every part. The other figures cover these. */
  readonly lookedAt: number;
  /** Orders that would give another number of points. */
  readonly changed: number;
  readonly pointsMore: bigint;
  readonly pointsLess: bigint;
}

const LOOKED_MAX = 5_000;

/**
 * Returns what re-evaluating orders by a program would change (program.md 9): those processed at or after `validFrom`, null: all. Writes
 * and locks nothing. Stops when `isOver` returns true.
 */
export async function previewReview(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { program, validFrom }: { readonly program: Program; readonly validFrom: Temporal.Instant | null },
  isOver: () => boolean,
): Promise<ReviewEffect> {
  const orders = await countOrdersSince(tx, validFrom);
  const ids = await selectSampleOrders(tx, validFrom, { total: orders, limit: LOOKED_MAX });
  const now = deps.clock.now();
  const found = { lookedAt: 0, changed: 0, pointsMore: 0n, pointsLess: 0n };
  for (const id of ids) {
    if (found.lookedAt > 0 && isOver()) break;
    const difference = await differenceOf(tx, id, program, now);
    found.lookedAt++;
    if (difference !== 0n) found.changed++;
    if (difference > 0n) found.pointsMore += difference;
    else found.pointsLess -= difference;
  }
  return { orders, ...found };
}

async function differenceOf(tx: Tx, orderId: string, program: Program, now: Temporal.Instant): Promise<bigint> {
  const order = await readOrder(tx, orderId);
  const customer = order?.customer ? await selectCustomer(tx, order.customer) : undefined;
  if (order === undefined || customer === undefined || customer.deletedAt !== null) return 0n;
  const instant = processedAt(order.facts) ?? order.receivedAt;
  const [[rules], rows, products] = await Promise.all([
    readOrderRules(tx, [
      { program, customer, instant, namedId: order.facts.stated.customerId, receivedAt: order.receivedAt },
    ]),
    selectPostings(tx, orderId),
    selectProducts(tx, unpinnedProducts(order)),
  ]);
  if (rules === undefined) throw new Error("an order has no rules");
  const plan = planOrderPostings({
    facts: order.facts,
    rules: { ...rules, products: order.rules?.products ?? rules.products },
    products,
    alreadyPosted: rows,
    coupons: [],
    now,
  });
  return plan.pointsAwarded - pointsAwarded(rows);
}
