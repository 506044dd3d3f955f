import { expect, test } from "vitest";
import { withoutEmptyEnd } from "./without-empty-end.ts";

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
  expect(withoutEmptyEnd(rows, (row) => row === 0)).toEqual(left);
});
