import { describe, expect, test } from "vitest";
import { dayFormsOf } from "./day-forms-of.ts";
import { momentOf } from "./moments.ts";
import { plainForm } from "./plain-form.ts";
import { readWholePoints } from "./row-values.ts";
import { spentOf } from "./spent.ts";

describe("the plain form of a cell", () => {
  test("is NFKC, and a text too long to mean anything is cut before, however many marks it combines", () => {
    expect(plainForm("１２ｐｔ")).toBe("12pt");
    expect(plainForm("a".repeat(255))).toBe("a".repeat(255));
    expect(plainForm(`x${"\u0301\u0316".repeat(30_000)}`)).toHaveLength(256);
  });

  test("of a long text is no number and no date: none is read from its beginning", () => {
    const zeros = "0".repeat(300);
    expect(spentOf(`${zeros}1`, "JPY")).toBe("spent_unclear");
    expect(readWholePoints(`${zeros}1`, false)).toMatchObject({ code: "points_not_integer" });
    const reading = { form: "year_first", timeZone: "UTC", edge: "start" } as const;
    expect(momentOf(`2026-01-01T00:00:00.${zeros}Z`, reading)).toBeUndefined();
    expect(dayFormsOf(`24/10/1990 ${zeros}`)).toEqual(["day_first"]);
  });
});
