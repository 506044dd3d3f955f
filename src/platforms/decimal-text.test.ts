import fc from "fast-check";
import { expect, test } from "vitest";
import { decimalText } from "./decimal-text.ts";
import { parseJsonText } from "./json-source.ts";
import { parseNeutralEvents } from "./neutral-wire.ts";

test.each([
  ["1e-06", "0.000001"],
  ["1.5e-05", "0.000015"],
  ["15E-1", "1.5"],
  ["2e0", "2"],
  ["1.25e+2", "125"],
  ["1.25e1", "12.5"],
  ["-3e3", "-3000"],
  ["0e5", "0"],
  ["0.001e3", "1"],
  ["1e9999", "1e9999"],
  ["1.50", "1.50"],
  ["x", "x"],
])("%s is %s", (source, expected) => {
  expect(decimalText(source)).toBe(expected);
});

test("a number is the same with and without its exponent", () => {
  const parts = fc.tuple(fc.nat(99_999), fc.stringMatching(/^[0-9]{1,9}$/), fc.integer({ min: -20, max: 20 }));
  fc.assert(
    fc.property(parts, ([whole, fraction, exponent]) => {
      const source = `${whole}.${fraction}e${exponent}`;
      const text = decimalText(source);
      expect(text).toMatch(/^(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/);
      expect(Number(text)).toBe(Number(source));
    }),
  );
});

test("a quantity or a unit price may be written with an exponent, as Python writes small numbers", () => {
  const linesOf = (...lines: readonly (readonly [quantity: string, minor: string])[]) => {
    const texts = lines.map(
      ([quantity, minor], n) =>
        `{"line_id":"${n}","title":"","quantity":${quantity},"unit_price":{"minor":${minor},"currency":"JPY"}}`,
    );
    const json = parseJsonText(`{"type":"OrderUpdated","payload":{"order_id":"1","lines":[${texts.join(",")}]}}`);
    if (!json.ok) throw new Error("the test's text is not JSON");
    return parseNeutralEvents(json.value, {
      receivedAt: Temporal.Instant.from("2026-05-01T00:00:00Z"),
      currency: "JPY",
    });
  };
  const read = linesOf(["1e-06", "1e-06"], ["1.5E3", "12.5e0"], ["2e0", "1e3"]);
  expect(read.ok ? read.events[0]?.event.payload : read.faults).toMatchObject({
    lines: [
      { quantity: 0.000001, unitPrice: { minor: 0n }, unitPriceMillionths: 1 },
      { quantity: 1_500, unitPrice: { minor: 12n }, unitPriceMillionths: 500_000 },
      { quantity: 2, unitPrice: { minor: 1_000n } },
    ],
  });
  const refused = linesOf(["1e-07", "1"], ["1e10", "1"], ["1e999", "1e-07"]);
  expect(refused.ok ? [] : refused.faults.map(({ pointer }) => pointer)).toEqual([
    "/payload/lines/0/quantity",
    "/payload/lines/1/quantity",
    "/payload/lines/2/quantity",
    "/payload/lines/2/unit_price/minor",
  ]);
});
