import { CHANGE_COLUMNS, type ChangeColumn } from "../ledger/change-columns.ts";

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

/** The changes of a period by category; the opening balance plus all of them is the closing balance (program.md 2, export request). */
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
