import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { UsedCoupon } from "./coupon-return.ts";
import type { StoredFacts } from "./order-facts.ts";
import type { OrderRules } from "./order-rules.ts";
import { awardRows, type PlannedPosting, type PostedCauseRow, requestedTotal } from "./planned-posting.ts";

/** An order's row, locked. */
export interface StoreOrder {
  readonly orderId: string;
  /** Whose events made it: "shopify". */
  readonly platform: string;
  /** Null: it waits for its customer. */
  readonly customer: CustomerRef | null;
  readonly facts: StoredFacts;
  readonly rules: OrderRules | null;
  /** Whose tier at which instant `rules` were taken for: `snapshotName`. */
  readonly rulesFor: string | null;
  readonly receivedAt: Temporal.Instant;
}

/**
 * What became of a planned posting. Capped, owed, refused: the balance could not give all of it (program.md 4). Set off: given less what the
 * order's customers keep beyond its target.
 */
export type PostingResult = "posted" | "capped" | "owed" | "refused" | "duplicate" | "settled" | "set_off";

/** A row of `order_posting`. */
export interface OrderPostingRow extends PostedCauseRow {
  readonly type: AllotmentType | null;
  readonly customer: CustomerRef | null;
  /** Of the customer's allotment; null: nothing was written. */
  readonly version: bigint | null;
  readonly result: PostingResult;
  /** Points beside `taken`, at least 0, that count as taken: the balance owes them, or they went with a deleted customer. */
  readonly takenElsewhere: bigint;
}

/** A coupon that the order used, and the deduction that paid for it. */
export interface CouponUse extends UsedCoupon {
  /** Whose deduction it was. */
  readonly customer: CustomerRef;
  /** Who has that customer's points now: somebody else after a merge. */
  readonly holder: CustomerRef;
  /** Whether that one was deleted, and gets nothing. */
  readonly isHolderDeleted: boolean;
  /** Null: it cost nothing. */
  readonly debitVersion: bigint | null;
}

/** A planned posting and whose balance it changes. */
export interface AssignedPosting {
  readonly planned: PlannedPosting;
  readonly customer: CustomerRef;
  /** The deduction whose points come back, and whose it was; null where none do. */
  readonly returned: { readonly version: bigint | null; readonly customer: CustomerRef } | null;
}

/** What is asked of a balance: what is planned, within what the order gave and what it may give. */
export interface CappedPosting extends AssignedPosting {
  /** Signed; 0: nothing is asked. */
  readonly asked: bigint;
  /** See `OrderPostingRow`. */
  readonly takenElsewhere: bigint;
}

/**
 * Points that the customers of an order keep beyond what its facts award, at least 0: they had been spent when they were to be taken back,
 * and are forgiven or in the hands of the staff. Whatever the order awards later is set off against them first, whoever it is for, so that
 * what they keep never exceeds what it awards by more than could not be taken back (program.md 4).
 */
export function excessPoints(rows: readonly OrderPostingRow[]): bigint {
  const excess = sumOf(awardRows(rows), (row) => row.taken - row.takenElsewhere - row.requested);
  return excess > 0n ? excess : 0n;
}

/**
 * Asks a balance for a planned posting after `rows`. A claw-back takes no more than the order really gave the customer: less than was
 * requested where an award was refused or set off. An award is less by what is set off against it. A coupon's points are asked for as planned.
 */
export function cappedPosting(posting: AssignedPosting, rows: readonly OrderPostingRow[]): CappedPosting {
  const { planned, customer } = posting;
  const { pointValue } = planned;
  const asks = (asked: bigint): CappedPosting => ({ ...posting, asked, takenElsewhere: 0n });
  if (planned.type === "coupon_reimbursement") return asks(pointValue);
  if (pointValue > 0n) {
    const excess = excessPoints(rows);
    return asks(excess < pointValue ? pointValue - excess : 0n);
  }
  const given = keptPoints(rows, customer);
  return asks(pointValue < -given ? -given : pointValue);
}

/** What the order gave a customer and did not take back, at least 0. */
export function keptPoints(rows: readonly OrderPostingRow[], { customerUid }: CustomerRef): bigint {
  const own = awardRows(rows).filter(({ customer }) => customer?.customerUid === customerUid);
  const kept = sumOf(own, (row) => row.taken - row.takenElsewhere);
  return kept > 0n ? kept : 0n;
}

function sumOf(rows: readonly OrderPostingRow[], points: (row: OrderPostingRow) => bigint): bigint {
  return rows.reduce((total, row) => total + points(row), 0n);
}

/** Points that the order asked for, by the customers who are not (or no more) its own: to be taken along (program.md 4). */
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

/** Versions of the allotments by which the order gave points to a customer: their lots burn first when it takes back. */
export function givenVersions(rows: readonly OrderPostingRow[], customer: CustomerRef): readonly bigint[] {
  const given = rows.filter((row) => row.customer?.customerUid === customer.customerUid && row.taken > 0n);
  const own = new Set(awardRows(given));
  return given.flatMap((row) => (own.has(row) && row.version !== null ? [row.version] : []));
}

/** Points that the balances could not give back, that are never requested again, and that were not set off yet. */
export function forgivenPoints(rows: readonly OrderPostingRow[]): bigint {
  const capped = rows.filter(({ result }) => result === "capped");
  const missing = sumOf(capped, (row) => row.taken - row.takenElsewhere - row.requested);
  const excess = excessPoints(rows);
  return excess < missing ? excess : missing;
}

/** Where an order's rules come from: another name, other rules. */
export function snapshotName(customer: CustomerRef | null, instant: Temporal.Instant): string {
  return `${customer?.customerUid ?? "guest"}@${instant.toString()}`;
}

/** The `app_reference` of everything an order posts (program.md 4). */
export function integrationName(platform: string): string {
  return `${platform}_integration`;
}
