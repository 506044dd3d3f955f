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

  const ZONES = ["Asia/Tokyo", "Pacific/Honolulu", "Pacific/Apia", "America/New_York", "UTC", "Pacific/Kiritimati"];
  const [FIRST, END] = [at("2026-01-10T00:00:00Z"), at("2028-06-01T00:00:00Z")];
  const monthOf = (instant: Temporal.Instant, timeZone: string) => {
    const { year, month } = instant.toZonedDateTimeISO(timeZone);
    return year * 12 + month - 1;
  };
  const startOf = (month: number, timeZone: string) =>
    new Temporal.PlainDate(Math.floor(month / 12), (month % 12) + 1, 1).toZonedDateTime(timeZone).toInstant();
  const isBefore = (a: Temporal.Instant, b: Temporal.Instant) => Temporal.Instant.compare(a, b) < 0;

  /** Settings of checks, made within a day and a half of the start of a month. */
  const settings = fc.record({
    timeZone: fc.constantFrom(...ZONES),
    periodMonths: fc.constantFrom(1, 1, 2, 3, 12),
    startMonth: fc.integer({ min: 1, max: 12 }),
    month: fc.integer({ min: 2026 * 12 + 1, max: 2028 * 12 + 3 }),
    minutes: fc.oneof(fc.constant(0), fc.integer({ min: -2_000, max: 2_000 })),
  });
  type Settings = typeof settings extends fc.Arbitrary<infer S> ? S & { readonly validFrom: Temporal.Instant } : never;

  /**
   * The checks of each setting while it is valid, each month once; one that had begun only where it is valid now is made up for. A setting that is
   * replaced in the moment from which it is valid never was.
   */
  function checksOf(all: readonly Settings[]): readonly string[] {
    const checks: string[] = [];
    const numbered = all.map((settings, n) => ({ ...settings, number: n + 1 }));
    const versions = numbered.filter(({ validFrom }, n) => isBefore(validFrom, all[n + 1]?.validFrom ?? END));
    let last = monthOf(FIRST, versions[0]?.timeZone ?? "UTC");
    for (const [n, { number, timeZone, periodMonths, startMonth, validFrom }] of versions.entries()) {
      const before = versions[n - 1]?.timeZone ?? timeZone;
      const end = versions[n + 1]?.validFrom ?? END;
      for (let month = last + 1; isBefore(startOf(month, timeZone), end); month++) {
        const began = startOf(month, timeZone);
        if ((month - (startMonth - 1) + 12) % periodMonths !== 0) continue;
        if (isBefore(began, validFrom) && isBefore(startOf(month, before), validFrom)) continue;
        checks.push(`${began.toString()} by ${number}`);
        last = month;
      }
    }
    return checks;
  }

  test("and other months of checks: each month that has a check has it once", () => {
    fc.assert(
      fc.property(fc.array(settings, { minLength: 1, maxLength: 5 }), (drawn) => {
        const made = drawn.map((one) => ({
          ...one,
          validFrom: startOf(one.month, "UTC").add({ minutes: one.minutes }),
        }));
        const [first, ...later] = made.toSorted((a, b) => Temporal.Instant.compare(a.validFrom, b.validFrom));
        const versions = first === undefined ? [] : [{ ...first, validFrom: FIRST }, ...later];
        const programs = versions.map(({ timeZone, periodMonths, startMonth }, n) => {
          const program = programIn(timeZone, n + 1);
          return { ...program, tiers: { ...program.tiers, periodMonths, startMonth } };
        });
        const starts = versions.map(({ validFrom }, n) => ({ version: n + 1, validFrom: n === 0 ? null : validFrom }));
        const checks: string[] = [];
        let [after, lastMonth]: [Temporal.Instant, number | null] = [FIRST, null];
        while (isBefore(after, END)) {
          const spans = versionsFrom(starts, after).flatMap(({ version, validFrom }) => {
            const program = programs[version - 1];
            return program === undefined ? [] : [{ program, validFrom }];
          });
          const check = firstCheckAfter(after, spans, lastMonth);
          if (check === null || !isBefore(check.at, END)) break;
          checks.push(`${check.at.toString()} by ${check.programVersion}`);
          after = check.at;
          lastMonth = monthOf(check.at, versions[check.programVersion - 1]?.timeZone ?? "UTC");
        }
        expect(checks).toEqual(checksOf(versions));
      }),
      { numRuns: 300 },
    );
  });
});
