import { describe, expect, test } from "vitest";
import type { IssueCode } from "./issue.ts";
import { issueText } from "./issue-words.ts";

const textOf = (code: IssueCode, value: string, language: "en" | "ja" = "en", hasDayForms = true) =>
  issueText({ code, field: null, value }, language, { tiers: [], hasDayForms });

describe("a date in another form than the file's", () => {
  test.each([
    ["birthday_unclear", "24/10/1990"],
    ["birthday_unclear", "24/10"],
    ["expiry_unclear", "31.12.2027"],
    ["expiry_unclear", "31/12/2027 14:05"],
    ["date_unclear", "29-02-2024"],
  ] as const)("%s of %s names the form with the day first", (code, value) => {
    expect(textOf(code, value)).toContain("seems to write days as 31/03/2027: choose that for all of its dates");
    expect(textOf(code, value)).toContain("--days day_first");
    expect(textOf(code, value, "ja")).toContain("31/03/2027");
  });

  test("a day that can be read both ways names both", () => {
    expect(textOf("expiry_unclear", "04/05/2027")).toContain("--days day_first or month_first");
    expect(textOf("keep_until_unclear", "10/24/2027")).toContain("--days month_first");
  });

  test.each(["", "soon", "31/31/2027", "30/02", "0/1/2027", "9999-12-31"])("%j is a day in no form", (value) => {
    expect(textOf("expiry_unclear", value)).not.toContain("--days");
  });

  test("no form is named where none can be chosen", () => {
    expect(textOf("birthday_unclear", "24/10/1990", "en", false)).not.toContain("--days");
  });
});

test("the number of a day in a spreadsheet says which day it is, and what to do", () => {
  const first = "1927-05-18";
  expect(textOf("expiry_unclear", "47938")).toContain(
    "probably saved 2031-03-31 as a number: give the column the format",
  );
  expect(textOf("birthday_unclear", "33170.5", "ja")).toContain("1990-10-24を数値として");
  expect([textOf("birthday_unclear", "10000"), textOf("points_not_integer", "47938")]).toEqual([
    expect.stringContaining(first),
    expect.not.stringContaining("spreadsheet"),
  ]);
  for (const text of ["", "9999", "80000", "479380"])
    expect(textOf("expiry_unclear", text)).not.toContain("spreadsheet");
});

test("a number that can be read in two ways says how to write it", () => {
  expect(textOf("points_not_integer", "1.200")).toContain("write 1200, 1,200 or 1.20");
  expect(textOf("spent_unclear", "€ 1.200")).toContain("write 1200, 1,200 or 1.20");
  expect(textOf("points_not_integer", "many")).toContain("whole number");
});

test("a balance is asked for without a sign, in each language", () => {
  const textsOf = (code: IssueCode, isBalance: boolean) =>
    (["en", "ja"] as const).map((language) =>
      issueText({ code, field: "points", value: "1.5" }, language, { tiers: [], isBalance }),
    );
  for (const text of textsOf("points_not_integer", false)) expect(text).toContain("-50");
  for (const text of textsOf("points_not_integer", true)) expect(text).toMatch(/^(?!.*-).*100/);
  for (const text of textsOf("points_missing", true)) expect(text).toMatch(/0 or more|0以上/);
});

test("a deduction above the balance says that it takes nothing", () => {
  expect(textOf("above_balance", "-25")).toContain("25 points are missing. Such a row takes nothing.");
  expect(textOf("above_balance", "-4313", "ja")).toContain("（4,313ポイント不足）。この場合、何も引かれません。");
});
