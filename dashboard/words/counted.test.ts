import { expect, test } from "vitest";
import { counted } from "./counted.ts";

test("one of a thing is said in the singular, with a sign or without", () => {
  expect(["1", "+1", "−1", "-1"].map((count) => counted(count, "point"))).toEqual([
    "1 point",
    "+1 point",
    "−1 point",
    "-1 point",
  ]);
});

test("none, many and what only begins with a one is said in the plural", () => {
  expect(["0", "2", "11", "1,000", "1.5"].map((count) => counted(count, "point"))).toEqual([
    "0 points",
    "2 points",
    "11 points",
    "1,000 points",
    "1.5 points",
  ]);
  expect(counted(2, "earlier entry", "earlier entries")).toBe("2 earlier entries");
});
