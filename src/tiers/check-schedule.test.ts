import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Program } from "../program/program.ts";
import { parseProgramDocument, programOf } from "../program/program-document.ts";
import { firstCheckAfter, versionsFrom } from "./check-schedule.ts";

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

describe("another time zone", () => {
  const at = (text: string) => Temporal.Instant.from(text);

  /** A program with monthly checks. */
  function programIn(timeZone: string, version: number): Program {
    const uids = Array.from(
      { length: 50 },
      (_, n) => `00000000-0000-7000-8000-0000000000${String(n).padStart(2, "0")}`,
    );
    const parsed = parseProgramDocument({ store: { time_zone: timeZone } }, { previous: null, spareUids: uids });
    if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
    return programOf(parsed.document, { version, shortenedAt: null });
  }

  test("to the west on the day of a check makes it once", () => {
    const after = at("2025-12-31T15:00:00Z"); // 1 January in Tokyo
    const spans = [
      { program: programIn("Asia/Tokyo", 1), validFrom: after },
      { program: programIn("Pacific/Honolulu", 2), validFrom: at("2026-01-01T00:00:00Z") },
    ];
    const january = 2026 * 12;
    expect(firstCheckAfter(after, spans, january)).toEqual({ at: at("2026-02-01T10:00:00Z"), programVersion: 2 });
    const past = [{ program: programIn("Pacific/Honolulu", 2), validFrom: after }]; // a version with a start in the past
    expect(firstCheckAfter(after, past, january)).toEqual({ at: at("2026-02-01T10:00:00Z"), programVersion: 2 });
  });

  test("to the east, where the month has begun already, leaves no check out", () => {
    const after = at("2025-12-01T10:00:00Z"); // 1 December in Honolulu
    const spans = [
      { program: programIn("Pacific/Honolulu", 1), validFrom: after },
      { program: programIn("Asia/Tokyo", 2), validFrom: at("2025-12-31T16:00:00Z") },
    ];
    expect(firstCheckAfter(after, spans, 2025 * 12 + 11)).toEqual({
      at: at("2025-12-31T15:00:00Z"),
      programVersion: 2,
    });
  });
});
