import fc from "fast-check";
import { expect, test } from "vitest";
import { gatherPieces } from "./pieces.ts";

test("pieces together are the lines, and all but the last are large enough", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "binary" })), fc.integer({ min: 1, max: 40 }), (lines, size) => {
      const gatherer = gatherPieces(size);
      const pieces = [...lines.map((line) => gatherer.add(line)), gatherer.rest()].filter((piece) => piece !== null);
      expect(Buffer.concat(pieces).equals(Buffer.from(lines.join("")))).toBe(true);
      expect(pieces.slice(0, -1).every((piece) => piece.length >= size)).toBe(true);
      expect(gatherer.rest()).toBeNull();
    }),
  );
});
