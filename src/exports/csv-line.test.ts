import { describe, expect, test } from "vitest";
import { csvLine } from "./csv-line.ts";

describe("a line of the file", () => {
  test.each([
    ["plain", "plain"],
    ['say "hi"', '"say ""hi"""'],
    ["Yamada, Hanako", '"Yamada, Hanako"'],
    ["two\nlines", '"two\nlines"'],
    ["two\rlines", '"two\rlines"'],
    ["a;=1+1", '"a;=1+1"'],
    ["a\t=1+1", '"a\t=1+1"'],
    ["山田 花子", "山田 花子"],
    ["", ""],
  ])("quotes %j as RFC 4180 does", (text, cell) => {
    expect(csvLine([text])).toBe(`${cell}\r\n`);
  });

  test.each(["=1+1", "+81 90", "-5", "@sum", "＝1+1", "＋81", "－5", "＠sum"])(
    "gives no spreadsheet the formula %j",
    (text) => {
      expect(csvLine([text])).toBe(`'${text}\r\n`);
    },
  );

  test.each(["\t=1", "\r=1", "\n=1"])("nor one behind white space: %j", (text) => {
    expect(csvLine([text])).toBe(`"'${text}"\r\n`);
  });

  test("guards a formula within quotes too, and leaves numbers alone", () => {
    expect(csvLine(['=HYPERLINK("a","b")', -5n, null, 9_007_199_254_740_991n])).toBe(
      `"'=HYPERLINK(""a"",""b"")",-5,,9007199254740991\r\n`,
    );
  });
});
