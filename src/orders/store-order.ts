import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { UsedCoupon } from "./coupons/coupon-return.ts";
import type { StoredFacts } from "./facts/order-facts.ts";
import type { OrderRules } from "./plan/order-rules.ts";
import {
  awardRows,
  isAwardRow,
  type PlannedPosting,
  type PostedCauseRow,
  requestedTotal,
} from "./plan/planned-posting.ts";

/** A locked row of an order. */
export interface StoreOrder {
  readonly orderId: string;
  /** The platform whose events created it: "shopify". */
  readonly platform: string;
  /** null: it waits for its customer. */
  readonly customer: CustomerRef | null;
  readonly facts: StoredFacts;
  readonly rules: OrderRules | null;
  /** The customer and instant for which `rules` were taken: `snapshotName`. */
  readonly rulesFor: string | null;
  readonly receivedAt: Temporal.Instant;
}

/**
 * The result of a planned posting. Capped, owed, refused: the balance could not give all of it (program.md 4). Set off: reduced by what the order's
 * customers keep beyond its target.
 */
export type PostingResult = "posted" | "capped" | "owed" | "refused" | "duplicate" | "settled" | "set_off";

/** A row of `order_posting`. */
export interface OrderPostingRow extends PostedCauseRow {
  readonly type: AllotmentType | null;
  readonly customer: CustomerRef | null;
  /** The version of the customer's allotment; null: nothing was written. */
  readonly version: bigint | null;
  readonly result: PostingResult;
  /** Points in addition to `taken`, at least 0, that count as taken: the balance owes them, or they were written off with a deleted customer. */
  readonly takenElsewhere: bigint;
}

/** A coupon that the order used, and the deduction that paid for it. */
export interface CouponUse extends UsedCoupon {
  /** The customer of the deduction. */
  readonly customer: CustomerRef;
  /** The present holder of that customer's points: somebody else after a merge. */
  readonly holder: CustomerRef;
  /** Whether the holder was deleted, and gets nothing. */
  readonly isHolderDeleted: boolean;
  /** null: it cost nothing. */
  readonly debitVersion: bigint | null;
}

/** A planned posting with the balance that it changes. */
export interface AssignedPosting {
  readonly planned: PlannedPosting;
  readonly customer: CustomerRef;
  /** The deduction whose points are returned, and its customer; null if none are. */
  readonly returned: { readonly version: bigint | null; readonly customer: CustomerRef } | null;
  /** The returned points of a coupon that are taken again; absent: none are. */
  readonly again?: ReturnedPoints | undefined;
}

/** A coupon's points that came back to its customer. */
export interface ReturnedPoints {
  /** Without those that were taken again since, those that stay returned, and those that have expired. */
  readonly left: bigint;
  /** The allotments of the customer that contain them: their lots burn first. */
  readonly versions: readonly bigint[];
}

/** The request to a balance: the plan, limited by what the order gave and what it may give. */
export interface CappedPosting extends AssignedPosting {
  /** Signed; 0: nothing is requested. */
  readonly cappedPoints: bigint;
  /** See `OrderPostingRow`. */
  readonly takenElsewhere: bigint;
}

/**
 * Returns the points that the customers of an order keep beyond what its facts award, at least 0: they had been spent when they were to be
 * taken back, and are forgiven or a task for the staff. Later awards of the order are set off against them first, whoever they are for, so
 * that the kept points never exceed the award by more than could not be taken back (program.md 4).
 */
function excessPoints({ excess }: RowSums): bigint {
  return excess > 0n ? excess : 0n;
}

/** The sums of an order's rows, which grow with each posting that is planned: an order may have thousands of both. */
export interface RowSums {
  /** What its customers keep beyond what its facts award; below 0 if they keep less. */
  excess: bigint;
  /** What each customer keeps of it, by uid. */
  readonly kept: Map<string, bigint>;
}

export function sumRows(rows: readonly OrderPostingRow[]): RowSums {
  const sums: RowSums = { excess: 0n, kept: new Map() };
  for (const row of rows) addRow(sums, row);
  return sums;
}

export function addRow(sums: RowSums, row: OrderPostingRow): void {
  if (!isAwardRow(row)) return;
  const kept = row.taken - row.takenElsewhere;
  sums.excess += kept - row.requested;
  if (row.customer === null) return;
  const { customerUid } = row.customer;
  sums.kept.set(customerUid, (sums.kept.get(customerUid) ?? 0n) + kept);
}

/**
 * Returns the request to a balance for a planned posting after the rows of `sums`. A claw-back takes no more than the order really gave the customer:
 * less than was requested if an award was refused or set off. An award is reduced by its set-off. A coupon's points are requested as
 * planned; taken again only as far as they are left.
 */
export function cappedPosting(posting: AssignedPosting, sums: RowSums): CappedPosting {
  const { planned, customer, again } = posting;
  const { pointValue } = planned;
  const capAt = (cappedPoints: bigint): CappedPosting => ({ ...posting, cappedPoints, takenElsewhere: 0n });
  if (again !== undefined) return capAt(pointValue < -again.left ? -again.left : pointValue);
  if (planned.type === "coupon_reimbursement") return capAt(pointValue);
  if (pointValue > 0n) {
    const excess = excessPoints(sums);
    return capAt(excess < pointValue ? pointValue - excess : 0n);
  }
  const given = keptPoints(sums, customer);
  return capAt(pointValue < -given ? -given : pointValue);
}

/** Returns what the order gave a customer and did not take back, at least 0. */
function keptPoints(sums: RowSums, { customerUid }: CustomerRef): bigint {
  const kept = sums.kept.get(customerUid) ?? 0n;
  return kept > 0n ? kept : 0n;
}

/** Returns the points that the order requested for customers who are not, or no longer, its own: they are to be moved (program.md 4). */
export function pointsOnOtherCustomers(
  rows: readonly OrderPostingRow[],
  owner: CustomerRef,
): readonly { readonly customer: CustomerRef; readonly points: bigint }[] {
  const byCustomer = new Map<string, { customer: CustomerRef; rows: OrderPostingRow[] }>();
  for (const row of rows) {
    if (row.customer === null || row.customer.customerUid === owner.customerUid) continue;
    const group = byCustomer.get(row.customer.customerUid) ?? { customer: row.customer, rows: [] };
    group.rows.push(row);
    byCustomer.set(row.customer.customerUid, group);
  }
  return [...byCustomer.values()]
    .map((group) => ({ customer: group.customer, points: requestedTotal(awardRows(group.rows)) }))
    .filter(({ points }) => points > 0n);
}

/** Returns the versions of the allotments by which the order gave points to a customer: their lots burn first when it takes points back. */
export function givenVersions(rows: readonly OrderPostingRow[], customer: CustomerRef): readonly bigint[] {
  const given = rows.filter((row) => row.customer?.customerUid === customer.customerUid && row.taken > 0n);
  const own = new Set(awardRows(given));
  return given.flatMap((row) => (own.has(row) && row.version !== null ? [row.version] : []));
}

/** Returns the points that the balances could not give back, that are never requested again, and that were not set off yet. */
export function forgivenPoints(rows: readonly OrderPostingRow[]): bigint {
  const capped = awardRows(rows).filter(({ result }) => result === "capped");
  const missing = capped.reduce((total, row) => total + row.taken - row.takenElsewhere - row.requested, 0n);
  const excess = excessPoints(sumRows(rows));
  return excess < missing ? excess : missing;
}

/** Returns the name of the source of an order's rules: another name means other rules. */
export function snapshotName(customer: CustomerRef | null, instant: Temporal.Instant): string {
  return `${customer?.customerUid ?? "guest"}@${instant.toString()}`;
}

/** Returns the `app_reference` of everything that an order posts (program.md 4). */
export function integrationName(platform: string): string {
  return `${platform}_integration`;
}
