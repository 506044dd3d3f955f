import fc from "fast-check";
import { expect, test } from "vitest";
import { formatCursor, parseCursor } from "./cursor.ts";

test("a cursor is read back as it was written, to the microsecond", () => {
  const at = fc
    .bigInt({ min: 0n, max: 250_000_000_000_000_000n })
    .map((micros) => Temporal.Instant.fromEpochNanoseconds(micros * 1_000n));
  fc.assert(
    fc.property(at, fc.bigInt({ min: 1n, max: 10n ** 18n - 1n }), (when, id) => {
      const read = parseCursor(formatCursor({ at: when, id }));
      expect(read?.at.epochNanoseconds).toBe(when.epochNanoseconds);
      expect(read?.id).toBe(id);
    }),
  );
});

test("anything else is none", () => {
  for (const text of ["", "x", "2026-01-01T00:00:00.000000Z", "2026-99-01T00:00:00.000000Z_1", "2026-01-01_1"]) {
    expect(parseCursor(text)).toBeNull();
  }
});
