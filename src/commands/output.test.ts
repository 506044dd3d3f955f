import { describe, expect, test } from "vitest";
import { masked } from "./config.ts";
import { harmless, jsonText, lengthText, progressLine, tableLines } from "./output.ts";

describe("a table that no terminal reads", () => {
  const rows = [
    ["a", "1", ""],
    ["long", "22", "x"],
  ];

  test("is plain, whole and without colours", () => {
    expect(tableLines(["name", "count", "note"], rows)).toEqual(["a  1", "long  22  x"]);
    expect(tableLines(["name", "count", "note"], rows, { header: "always" })).toEqual([
      "name  count  note",
      "a     1",
      "long  22     x",
    ]);
    expect(tableLines(["name", "count", "note"], rows, { header: "none", right: ["count"] })).toEqual([
      "a      1",
      "long  22  x",
    ]);
  });

  test("counts two columns for each letter of Japanese", () => {
    expect(
      tableLines(
        ["n", "v"],
        [
          ["山田", "1"],
          ["abcd", "2"],
        ],
        { header: "none" },
      ),
    ).toEqual(["山田  1", "abcd  2"]);
  });
});

test("names and notes of others have nothing that a terminal obeys, and no line of their own in a table", () => {
  const own = "\u001b[31mfailed\u001b[39m";
  expect(harmless(`${own}\u001b]52;c;eA==\u0007\u001b[8m\rx\u009b2J\n`)).toBe(
    `${own}\ufffd]52;c;eA==\ufffd\ufffd[8m\ufffdx\ufffd2J\n`,
  );
  expect(tableLines(["name", "note"], [["a", "b\n7  500"]])).toEqual(["a  b 7  500"]);
  expect(jsonText({ name: "a\u009b\u001b" })).toBe('{"name":"a\\u009b\\u001b"}');
});

describe("progress", () => {
  test("has the rate and the time left, where it is known how much there is", () => {
    const facts = { what: "checking", unit: "rows", done: 1_200, total: 50_000, seconds: 3 };
    expect(progressLine(facts)).toBe("checking  1,200 of 50,000 rows  400/s  2 min 2 s left");
    expect(progressLine({ ...facts, total: undefined })).toBe("checking  1,200 rows  400/s");
    expect(progressLine({ ...facts, done: 0 })).toBe("checking  0 of 50,000 rows  0.0/s");
  });

  test.each([
    [0, "0 s"],
    [59, "59 s"],
    [3_900, "1 h 5 min"],
    [90_061, "1 day 1 h"],
  ])("%i seconds are %s", (seconds, text) => {
    expect(lengthText(seconds)).toBe(text);
  });
});

test("JSON has the ledger's numbers as numbers, and those beyond 2^53 whole", () => {
  expect(jsonText({ points: 12n, most: 9_007_199_254_740_993n })).toBe('{"points":12,"most":"9007199254740993"}');
});

test.each([
  ["POINTKEEPER_SECRET_KEY", "abc", "********"],
  ["SHOPIFY_ADMIN_TOKEN", "shpat_1", "********"],
  ["DATABASE_URL", "postgres://u:pw@h/d?sslmode=verify-full", "postgres://u:********@h/d?sslmode=verify-full"],
  ["DATABASE_URL", "postgres:///d?user=u&password=pw", "postgres:///d?user=u&password=********"],
  ["DATABASE_URL", "host=h password=pw dbname=d", "host=h password=******** dbname=d"],
  ["DATABASE_URL", "postgresql://u:pw@/d?host=%2Frun", "postgresql://u:********@/d?host=%2Frun"],
  ["DATABASE_URL", "postgresql://u:pw@a:1,b:2/d", "postgresql://u:********@a:1,b:2/d"],
  ["DATABASE_URL", "postgresql://u:pw@/d?password=p@w", "postgresql://u:********@/d?password=********"],
  ["DATABASE_URL", "postgresql://u:p/w@x@h/d", "postgresql://u:********@h/d"],
  ["DATABASE_URL", "postgresql://u@/d?password=pw&host=%2Frun", "postgresql://u@/d?password=********&host=%2Frun"],
  ["PUBLIC_URL", "https://points.example.com", "https://points.example.com"],
])("%s=%s is shown as %s", (name, value, shown) => {
  expect(masked(name, value)).toBe(shown);
});
