import type { Deps } from "../../deps.ts";
import {
  type OrderPosting,
  type OrderReceipt,
  type StoredOrderFacts,
  selectOrder,
  selectOrderPostings,
  selectOrderReceipts,
} from "../../explain/order-queries.ts";
import { Problem } from "../../problems.ts";
import { type Program, STAND_IN_VERSION } from "../../program/program.ts";
import { readProgram } from "../../program/read-program.ts";
import { readProgramVersion } from "../../program/read-program-version.ts";
import { selectTasks, selectUsedCoupons, type TaskRow, type UsedCouponRow } from "./order-queries.ts";

/** Everything that is stored about one order. */
export interface FoundOrder {
  readonly kept: StoredOrderFacts;
  /** No person has applied a program yet. */
  readonly isStandIn: boolean;
  /** The program by whose rules it earns, and the present one. */
  readonly programs: readonly Program[];
  readonly posted: readonly OrderPosting[];
  readonly coupons: readonly UsedCouponRow[];
  readonly receipts: readonly OrderReceipt[];
  readonly tasks: readonly TaskRow[];
}

/** Reads an order with all sources of its points, as of one moment. Throws `not_found`. */
export async function readOrderPage(deps: Pick<Deps, "db">, orderId: string): Promise<FoundOrder> {
  return deps.db.snapshot(async (tx) => {
    const kept = await selectOrder(tx, orderId);
    if (kept === undefined) throw new Problem("not_found");
    const ruling = kept.rules === null ? [] : [await readProgramVersion(tx, kept.rules.programVersion)];
    const [program, posted, coupons, receipts, tasks] = await Promise.all([
      readProgram(tx),
      selectOrderPostings(tx, orderId),
      selectUsedCoupons(tx, orderId),
      selectOrderReceipts(tx, orderId),
      selectTasks(tx, orderId),
    ]);
    const isStandIn = program.version === STAND_IN_VERSION;
    return { kept, isStandIn, programs: [...ruling, program], posted, coupons, receipts, tasks };
  });
}
