import { ALLOTMENT_TYPE_NAMES, type AllotmentType } from "../ledger/allotment-types.ts";

/** The changes of a period by category; the opening balance plus all of them is the closing balance (program.md 2, export request). */
export const CHANGE_COLUMNS = [
  "points_earned",
  "points_adjusted",
  "points_spent",
  "points_returned",
  "points_refunded",
  "points_expired",
] as const;

export type ChangeColumn = (typeof CHANGE_COLUMNS)[number];

/** The header of the file. */
export const STATEMENT_COLUMNS = [
  "storefront_id",
  "email",
  "name",
  "tier",
  "opening_balance",
  ...CHANGE_COLUMNS,
  "closing_balance",
  "current_balance",
  "expires_at",
] as const;

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

export type Changes = Readonly<Record<ChangeColumn, bigint>>;

/** One line of the statement. Points. */
export interface StatementRow {
  readonly storefrontId: string;
  readonly email: string | null;
  readonly name: string | null;
  readonly tier: string;
  readonly openingBalance: bigint;
  readonly changes: Changes;
  readonly closingBalance: bigint;
  readonly currentBalance: bigint;
  /** In the form that is shown; null: never, or nothing to expire. */
  readonly expiresAt: string | null;
}

/** Whether the line's sum is correct; a file with an incorrect line is never returned. */
export function isBalanced({ openingBalance, changes, closingBalance }: StatementRow): boolean {
  return CHANGE_COLUMNS.reduce((sum, column) => sum + changes[column], openingBalance) === closingBalance;
}

/** Returns the cells of a line, in the order of `STATEMENT_COLUMNS`; null is an empty cell. Text and numbers are distinguished: see `csv-line.ts`. */
export function statementCells(row: StatementRow): (string | bigint | null)[] {
  return [
    row.storefrontId,
    row.email,
    row.name,
    row.tier,
    row.openingBalance,
    ...CHANGE_COLUMNS.map((column) => row.changes[column]),
    row.closingBalance,
    row.currentBalance,
    row.expiresAt,
  ];
}
