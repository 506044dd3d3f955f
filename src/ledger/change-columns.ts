import { ALLOTMENT_TYPE_NAMES, type AllotmentType } from "./allotment-types.ts";

/** The categories of changes in a statement; the opening balance plus all of them is the closing balance (program.md 2, export request). */
export const CHANGE_COLUMNS = [
  "points_earned",
  "points_adjusted",
  "points_spent",
  "points_returned",
  "points_refunded",
  "points_expired",
] as const;

export type ChangeColumn = (typeof CHANGE_COLUMNS)[number];

/**
 * The column of each type's credits and debits: each allotment belongs to exactly one. Earned are points from purchases, rewards and the
 * interface; spent are points taken through the interface (coupons, captured holds, other redemptions); adjusted are changes by staff,
 * imports, workflows and the write-off of a deleted customer. Debits of an order's own types are corrections of it. All are signed.
 */
const COLUMN_OF: Readonly<Record<AllotmentType, { readonly credit: ChangeColumn; readonly debit: ChangeColumn }>> = {
  coupon_reimbursement: { credit: "points_returned", debit: "points_returned" },
  coupon_cancellation: { credit: "points_returned", debit: "points_returned" },
  csv: { credit: "points_adjusted", debit: "points_adjusted" },
  deletion: { credit: "points_adjusted", debit: "points_adjusted" },
  expiration: { credit: "points_expired", debit: "points_expired" },
  manual: { credit: "points_adjusted", debit: "points_adjusted" },
  refund: { credit: "points_refunded", debit: "points_refunded" },
  api: { credit: "points_earned", debit: "points_spent" },
  flow: { credit: "points_adjusted", debit: "points_adjusted" },
  fulfillment: { credit: "points_earned", debit: "points_refunded" },
  tax: { credit: "points_earned", debit: "points_refunded" },
  reward: { credit: "points_earned", debit: "points_adjusted" },
};

// changing a column of a type needs a migration that forgets the sums of customers (decision 92): summed_version = 0, and the sums null
export function columnOf(type: AllotmentType, pointValue: bigint): ChangeColumn {
  return pointValue > 0n ? COLUMN_OF[type].credit : COLUMN_OF[type].debit;
}

/** The complete mapping as rows, for a statement that groups by it. */
export const MAPPING: readonly {
  readonly type: AllotmentType;
  readonly isCredit: boolean;
  readonly column: ChangeColumn;
}[] = ALLOTMENT_TYPE_NAMES.flatMap((type) => [
  { type, isCredit: true, column: COLUMN_OF[type].credit },
  { type, isCredit: false, column: COLUMN_OF[type].debit },
]);

/** Most allotments of a store are of these types, the most frequent ones first: a type is compared with one name after the other. */
const FREQUENT: readonly AllotmentType[] = ["fulfillment", "api", "reward", "csv", "manual", "expiration"];

const placesOf = (credits: boolean) =>
  MAPPING.filter(({ isCredit }) => isCredit === credits)
    .toSorted((a, b) => rankOf(a.type) - rankOf(b.type))
    .map(({ type, column }) => `when '${type}' then ${CHANGE_COLUMNS.indexOf(column)}`)
    .join(" ");

function rankOf(type: AllotmentType): number {
  const place = FREQUENT.indexOf(type);
  return place === -1 ? FREQUENT.length : place;
}

/** The place of the column of `allotment a` in `CHANGE_COLUMNS`, as SQL. A join with the mapping would take as long as all sums. */
export const CHANGE_PLACE: string = `case when a.point_value > 0 then case a.type ${placesOf(true)} end else case a.type ${placesOf(false)} end end`;

/** Below this every sum of integers is exact in floating point, which takes far less time and memory than numeric. */
export const EXACT_BELOW: number = 2 ** 53;
