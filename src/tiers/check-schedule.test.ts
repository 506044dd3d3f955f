import fc from "fast-check";
import { expect, test } from "vitest";
import { versionsFrom } from "./check-schedule.ts";

const day = (n: number) => Temporal.Instant.from("2026-01-01T00:00:00Z").add({ hours: 24 * n });

const starts = fc
  .array(fc.option(fc.nat(30)), { maxLength: 8 })
  .map((days) => [null, ...days].map((n, i) => ({ version: i + 1, validFrom: n === null ? null : day(n) })));

test("at each time that version holds which was made last of those that began by then", () => {
  fc.assert(
    fc.property(starts, fc.nat(30), (versions, from) => {
      const spans = versionsFrom(versions, day(from));
      expect(spans[0]?.validFrom).toEqual(day(from));
      for (let n = from; n <= 32; n++) {
        const began = versions.filter(
          ({ validFrom }) => validFrom === null || Temporal.Instant.compare(validFrom, day(n)) <= 0,
        );
        const span = spans.findLast(({ validFrom }) => Temporal.Instant.compare(validFrom, day(n)) <= 0);
        expect(span?.version).toBe(began.at(-1)?.version);
      }
    }),
  );
});
