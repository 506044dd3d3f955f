import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isCleanText, parseJson, textFaults } from "./json-text.ts";

describe("parseJson", () => {
  test("reads what JSON.parse reads, but for prototypes and integers beyond 2^53", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        const text = JSON.stringify(value);
        expect(JSON.stringify(parseJson(text))).toBe(JSON.stringify(ideal(JSON.parse(text))));
      }),
    );
  });

  test("an integer beyond 2^53 becomes its digits, any other number stays", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), (value) => {
        const isSafe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
        expect(parseJson(`{"a":[${value}]}`)).toEqual({ a: [isSafe ? Number(value) : String(value)] });
      }),
    );
  });

  test.each([
    ["1e400", "1e400"],
    ["1e3", 1000],
    ["0.1234567890123456", 0.1234567890123456],
    ["-0", -0],
    ["1.0", 1],
    ["10.50e1", 105],
    ["9007199254740990.0000", 9007199254740990],
    ["9007199254740990.5", "9007199254740990.5"],
    ["0.99999999999999999999", "0.99999999999999999999"],
    ["-1.00000000000000000001", "-1.00000000000000000001"],
    ["123456789012345000001e-6", "123456789012345000001e-6"],
    ["1e-400", "1e-400"],
    ["0e-400", 0],
    ["-0.000000000000000000", -0],
  ])("%s", (text, value) => {
    expect(parseJson(text)).toBe(value);
  });

  test("__proto__ is dropped, however it is written", () => {
    const parsed = parseJson('{"__proto__":{"x":1},"a":{"\\u005f_proto__":{"y":1},"b":1}}');
    expect(JSON.stringify(parsed)).toBe('{"a":{"b":1}}');
    expect(Reflect.get(Object.prototype, "x")).toBeUndefined();
  });
});

describe("textFaults", () => {
  test("names every string that cannot be kept, and no other", () => {
    const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("\0", "a\0b", "\ud800", "\udc00x", "😀"));
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom("a", "b/c", "d~e"), fc.array(text)), (value) => {
        const json = JSON.stringify(value);
        const bad = Object.entries(value).flatMap(([name, texts]) =>
          texts.flatMap((one, at) =>
            isBad(one) ? [`/${name.replaceAll("~", "~0").replaceAll("/", "~1")}/${at}`] : [],
          ),
        );
        expect(textFaults(json, JSON.parse(json)).map((fault) => fault.pointer)).toEqual(bad);
      }),
    );
  });

  test("isCleanText", () => {
    expect(["", "é", "😀", "\u0001"].every(isCleanText)).toBe(true);
    expect(["\0", "\ud800", "a\udfff"].some(isCleanText)).toBe(false);
  });
});

/** The oracle: U+0000, or half of a pair without its other half. */
function isBad(text: string): boolean {
  return [...text].some((char) => {
    const code = char.codePointAt(0) ?? 0;
    return code === 0 || (code >= 0xd800 && code <= 0xdfff);
  });
}

/** The oracle: a number beyond 2^53 is its text, `__proto__` is gone. */
function ideal(value: unknown): unknown {
  if (typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value))
    return JSON.stringify(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ideal);
  const fields = Object.entries(value).filter(([name]) => name !== "__proto__");
  return Object.fromEntries(fields.map(([name, part]) => [name, ideal(part)]));
}
