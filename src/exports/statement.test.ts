import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ALLOTMENT_TYPE_NAMES } from "../ledger/allotment-types.ts";
import { CHANGE_COLUMNS, columnOf, MAPPING } from "../ledger/change-columns.ts";
import { isBalanced, STATEMENT_COLUMNS, statementCells } from "./statement.ts";

describe("the statement's columns", () => {
  test("each type and sign stands in exactly one column, and the rows of the mapping say the same", () => {
    const places = MAPPING.map(({ type, isCredit }) => `${type} ${isCredit}`);
    expect(new Set(places).size).toBe(places.length);
    expect(places).toHaveLength(ALLOTMENT_TYPE_NAMES.length * 2);
    for (const { type, isCredit, column } of MAPPING) {
      expect(CHANGE_COLUMNS).toContain(column);
      expect(columnOf(type, isCredit ? 5n : -5n)).toBe(column);
    }
  });

  test("every column is fed by some type", () => {
    expect(new Set(MAPPING.map(({ column }) => column))).toEqual(new Set(CHANGE_COLUMNS));
  });

  test("opening plus the changes is closing, and one point off is seen", () => {
    const point = fc.bigInt({ min: -1_000_000n, max: 1_000_000n });
    const history = fc.array(fc.tuple(fc.constantFrom(...ALLOTMENT_TYPE_NAMES), point));
    fc.assert(
      fc.property(point, history, (openingBalance, postings) => {
        const changes = Object.fromEntries(CHANGE_COLUMNS.map((column) => [column, 0n]));
        for (const [type, value] of postings) {
          const column = columnOf(type, value);
          changes[column] = (changes[column] ?? 0n) + value;
        }
        const closingBalance = postings.reduce((sum, [, value]) => sum + value, openingBalance);
        const row = { ...plainRow, openingBalance, closingBalance, changes: { ...noChanges, ...changes } };
        expect(isBalanced(row)).toBe(true);
        expect(isBalanced({ ...row, closingBalance: closingBalance + 1n })).toBe(false);
      }),
    );
  });

  test("a line has a cell for each column", () => {
    expect(statementCells(plainRow)).toHaveLength(STATEMENT_COLUMNS.length);
  });
});

const noChanges = {
  points_earned: 0n,
  points_adjusted: 0n,
  points_spent: 0n,
  points_returned: 0n,
  points_refunded: 0n,
  points_expired: 0n,
};

const plainRow = {
  storefrontId: "1",
  email: null,
  name: null,
  tier: "Bronze",
  openingBalance: 0n,
  changes: noChanges,
  closingBalance: 0n,
  currentBalance: 0n,
  expiresAt: null,
};
