import fc from "fast-check";
import { expect, test } from "vitest";
import { fieldOf, formatJson, JsonNumber, parseJsonSource, parseJsonText } from "./json-source.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("numbers keep their source", () => {
  const parse = parseJsonSource(
    bytes('{"id": 820982911946154508, "rate": 0.060, "big": 1e400, "nested": [-0, 12.50]}'),
  );
  expect(parse).toEqual({
    ok: true,
    value: {
      id: new JsonNumber("820982911946154508"),
      rate: new JsonNumber("0.060"),
      big: new JsonNumber("1e400"),
      nested: [new JsonNumber("-0"), new JsonNumber("12.50")],
    },
  });
});

test("a field named __proto__ changes no prototype, and is gone", () => {
  const parse = parseJsonText('{"__proto__": {"admin": true}, "a": {"__proto__": null, "b": 1}}');
  expect(parse.ok && formatJson(parse.value)).toBe('{"a":{"b":1}}');
  expect(parse.ok && fieldOf(parse.value, "admin")).toBeUndefined();
  expect(parse.ok && fieldOf(parse.value, "toString")).toBeUndefined();
});

test.each([
  ["no JSON", bytes("{")],
  ["nothing", bytes("")],
  ["no UTF-8", new Uint8Array([0x22, 0xff, 0x22])],
  ["a nesting without end", bytes("[".repeat(1_000_000))],
  ["a nesting that ends", bytes("[".repeat(1_000_000) + "]".repeat(1_000_000))],
])("%s is a fault, never a throw", (_, body) => {
  expect(parseJsonSource(body)).toMatchObject({ ok: false, fault: expect.stringContaining("body") });
});

test("formatJson writes what was parsed", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      if (text.includes('"__proto__"')) return;
      const parse = parseJsonText(text);
      expect(parse.ok && formatJson(parse.value)).toBe(text);
    }),
  );
});
