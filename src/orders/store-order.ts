import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { UsedCoupon } from "./coupon-return.ts";
import type { StoredFacts } from "./order-facts.ts";
import type { OrderRules } from "./order-rules.ts";
import { awardRows, type PlannedPosting, type PostedRow, wantedTotal } from "./planned-posting.ts";

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

/** What became of a wanted posting. Capped, owed, refused: the balance could not give all of it (program.md 4). */
export type PostingResult = "posted" | "capped" | "owed" | "refused" | "duplicate" | "settled";

/** A row of `order_posting`. */
export interface OrderPostingRow extends PostedRow {
  readonly type: AllotmentType | null;
  readonly customer: CustomerRef | null;
  /** Of the customer's allotment; null: nothing was written. */
  readonly version: bigint | null;
  readonly result: PostingResult;
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
export interface OwnedPosting {
  readonly planned: PlannedPosting;
  readonly customer: CustomerRef;
  /** The deduction whose points come back, and whose it was; null where none do. */
  readonly returned: { readonly version: bigint | null; readonly customer: CustomerRef } | null;
}

/** What is asked of a balance: what is planned, but a claw-back takes no more than the order gave. */
export interface AskedPosting extends OwnedPosting {
  /** Signed; 0: nothing is asked. */
  readonly asked: bigint;
}

/**
 * Bounds what is taken back from each customer by what the order really gave to them (platforms.md 4.3, rule 6): less than was
 * wanted where an award was refused, or its source had been counted by another order.
 */
export function boundedPostings(
  postings: readonly OwnedPosting[],
  rows: readonly OrderPostingRow[],
): readonly AskedPosting[] {
  const given = new Map<string, bigint>();
  const own = new Set<PostedRow>(awardRows(rows));
  const add = ({ customerUid }: CustomerRef, points: bigint) =>
    given.set(customerUid, (given.get(customerUid) ?? 0n) + points);
  for (const row of rows) if (row.customer !== null && own.has(row)) add(row.customer, row.taken);
  return postings.map((posting) => {
    const { planned, customer } = posting;
    if (planned.type === "coupon_reimbursement") return { ...posting, asked: planned.pointValue };
    const left = given.get(customer.customerUid) ?? 0n;
    const asked = planned.pointValue < -left ? -left : planned.pointValue;
    add(customer, asked);
    return { ...posting, asked };
  });
}

/** Points that the order asked for, by the customers who are not (or no more) its own: to be taken along (program.md 4). */
export function strayPoints(
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
    .map((group) => ({ customer: group.customer, points: wantedTotal(awardRows(group.rows)) }))
    .filter(({ points }) => points > 0n);
}

/** Versions of the allotments by which the order gave points to a customer: their lots burn first when it takes back. */
export function givenVersions(rows: readonly OrderPostingRow[], customer: CustomerRef): readonly bigint[] {
  const given = rows.filter((row) => row.customer?.customerUid === customer.customerUid && row.taken > 0n);
  const own = new Set(awardRows(given));
  return given.flatMap((row) => (own.has(row) && row.version !== null ? [row.version] : []));
}

/** What the balances could not give back and nobody will ask for again. */
export function forgivenPoints(rows: readonly OrderPostingRow[]): bigint {
  const capped = rows.filter(({ result }) => result === "capped");
  return capped.reduce((total, { taken, wanted }) => total + taken - wanted, 0n);
}

/** Where an order's rules come from: another name, other rules. */
export function snapshotName(customer: CustomerRef | null, instant: Temporal.Instant): string {
  return `${customer?.customerUid ?? "guest"}@${instant.toString()}`;
}

/** The `app_reference` of everything an order posts (program.md 4). */
export function integrationName(platform: string): string {
  return `${platform}_integration`;
}
