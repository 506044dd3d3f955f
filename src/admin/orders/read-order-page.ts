import type { Deps } from "../../deps.ts";
import {
  type OrderPosting,
  type OrderReceipt,
  selectOrderPostings,
  selectOrderReceipts,
} from "../../explain/order-queries.ts";
import { decodeFacts, type StoredFacts } from "../../orders/order-facts.ts";
import { decodeRules, type OrderRules } from "../../orders/order-rules.ts";
import { Problem } from "../../problems.ts";
import { STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import {
  type StoredOrderRow,
  selectOrder,
  selectTasks,
  selectUsedCoupons,
  type TaskRow,
  type UsedCouponRow,
} from "./order-queries.ts";

/** Everything that is kept of one order. */
export interface FoundOrder {
  readonly row: StoredOrderRow;
  readonly facts: StoredFacts;
  /** Null: nothing was computed of it yet. */
  readonly rules: OrderRules | null;
  /** Nobody has applied a program yet. */
  readonly isStandIn: boolean;
  readonly posted: readonly OrderPosting[];
  readonly coupons: readonly UsedCouponRow[];
  readonly receipts: readonly OrderReceipt[];
  readonly tasks: readonly TaskRow[];
}

/** An order with all that its points come from, as of one moment. Throws `not_found`. */
export async function readOrderPage(deps: Pick<Deps, "db">, orderId: string): Promise<FoundOrder> {
  return deps.db.snapshot(async (tx) => {
    const row = await selectOrder(tx, orderId);
    if (row === undefined) throw new Problem("not_found");
    const [{ version }, posted, coupons, receipts, tasks] = await Promise.all([
      readProgram(tx),
      selectOrderPostings(tx, orderId),
      selectUsedCoupons(tx, orderId),
      selectOrderReceipts(tx, orderId),
      selectTasks(tx, orderId),
    ]);
    const rules = row.rules === null ? null : decodeRules(row.rules);
    const isStandIn = version === STAND_IN_VERSION;
    return { row, facts: decodeFacts(row.facts), rules, isStandIn, posted, coupons, receipts, tasks };
  });
}
