import { expect, test } from "vitest";
import { birthdayOf, joinedName, pointsOf } from "./member-values.ts";

test.each(["1.200", "1.000", "12.000", "１.０００"])(
  "%s may be thousands or a fraction, and is not guessed",
  (text) => {
    expect([pointsOf(text, false), pointsOf(text, true)]).toEqual(["points_not_integer", "points_not_integer"]);
  },
);

test.each([
  ["1,200", 1_200n],
  ["1,200.000", 1_200n],
  ["1200.000", 1_200n],
  ["0.000", 0n],
  ["120.00", 120n],
  ["1 200", 1_200n],
  ["1\u00a0200", 1_200n],
  ["1\u202f200", 1_200n],
  ["1'200", 1_200n],
  ["1.234.567", 1_234_567n],
  ["120,00", 120n],
  ["+5", 5n],
  ["-0", 0n],
])("%s can only be %d", (text, points) => {
  expect(pointsOf(text, false)).toBe(points);
});

test.each(["-5", "−5", "▲1,200", "-1.5"])("%s is a negative balance", (text) => {
  expect(pointsOf(text, false)).toBe("balance_negative");
});

test.each([
  ...["", "0", "N/A", "null", "-", "－", "0000-00-00", "なし"],
  ...["Ｎ／Ａ", "０", "0000/00/00", "００００／００／００", "00000000"],
])("%j is no birthday", (text) => {
  expect(birthdayOf(text, "year_first")).toBe("");
});

test("decimal places become the next whole number where the app has them", () => {
  expect([pointsOf("3,56", true), pointsOf("3.56", true), pointsOf("3,00", true)]).toEqual([4n, 4n, 3n]);
  expect(pointsOf("3,56", false)).toBe("points_not_integer");
  expect(pointsOf(`${"0".repeat(300)}1`, false)).toBe("points_not_integer"); // too long to be read
});

test("what Japanese files write: units, birthdays without a year, eras, and the family name first", () => {
  expect(["120pt", "１，２００ポイント", "50 P", "30点", "▲5pt"].map((text) => pointsOf(text, false))).toEqual([
    ...[120n, 1_200n, 50n, 30n],
    "balance_negative",
  ]);
  const birthdays = ["4月12日", "昭和63年1月5日", "平成元年2月3日", "S63.1.5", "１９９０年４月１２日"];
  expect(birthdays.map((text) => birthdayOf(text, "year_first"))).toEqual([
    ...["--04-12", "1988-01-05", "1989-02-03", "1988-01-05", "1990-04-12"],
  ]);
  expect(joinedName({ first: "花子", last: "山田" })).toBe("山田 花子");
  expect(joinedName({ first: "Hanako", last: "Yamada" })).toBe("Hanako Yamada");
  expect(joinedName({ first: "", last: "佐々木" })).toBe("佐々木");
});
