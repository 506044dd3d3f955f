import { expect, test } from "vitest";
import { trimEmptyMonths } from "./trim-empty-months.ts";

test.each([
  [
    [3, 0, 2, 0, 0],
    [3, 0, 2],
  ],
  [[0, 0, 0], [0]],
  [
    [1, 2],
    [1, 2],
  ],
  [[], []],
  [undefined, undefined],
])("of %j stay %j", (rows, left) => {
  expect(trimEmptyMonths(rows, (row) => row === 0)).toEqual(left);
});
