import fc from "fast-check";
import { expect, test } from "vitest";
import { excessOfBytes, scanJson } from "./json-scan.ts";

const piece = fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", '\\"', "a", "é", "漢", "🎁", "1", " ");
const limits = fc.record({ depth: fc.integer({ min: 1, max: 5 }), elements: fc.integer({ min: 1, max: 12 }) });

test("over bytes and over their text the same limit is passed, valid JSON or not", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), limits, (pieces, limit) => {
      const text = pieces.join("");
      expect(excessOfBytes(Buffer.from(text), limit)).toBe(scanJson(text, limit).excess);
    }),
    { numRuns: 3_000 },
  );
});

test("a limit is passed by one more, and not inside a text", () => {
  const limit = { depth: 2, elements: 4 };
  expect(excessOfBytes(Buffer.from('[["[[[[", ",,,,"]]'), limit)).toBe(null);
  expect(excessOfBytes(Buffer.from("[[[1]]]"), limit)).toBe("depth");
  expect(excessOfBytes(Buffer.from("[1,2,3,4,5]"), limit)).toBe("elements");
});
