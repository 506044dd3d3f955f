import fc from "fast-check";
import { expect, test } from "vitest";
import { comparableDays } from "./comparable-days.ts";

const ZONES = ["Asia/Tokyo", "Europe/Berlin", "America/New_York"];
const instant = (text: string) => Temporal.Instant.from(text);

test("a weekend ahead is compared with the last whole weekend", () => {
  const weekend = { startsAt: instant("2026-11-27T15:00:00Z"), endsAt: instant("2026-11-29T15:00:00Z") }; // Saturday and Sunday in Tokyo
  expect(comparableDays(weekend, instant("2026-11-24T03:00:00Z"), "Asia/Tokyo")).toEqual({
    start: instant("2026-11-20T15:00:00Z"),
    end: instant("2026-11-22T15:00:00Z"),
    ...{ weeks: 1, times: 1 },
  });
  // on the Sunday itself the weekend is not over: it began, so the one before it counts
  expect(comparableDays(weekend, instant("2026-11-29T03:00:00Z"), "Asia/Tokyo").weeks).toBe(1);
  expect(comparableDays(weekend, instant("2026-11-10T03:00:00Z"), "Asia/Tokyo").weeks).toBe(3);
});

test("the days lie before now and the campaign, on the same weekday and hour, and as late as that allows", () => {
  const hours = (from: number, to: number) => fc.integer({ min: from, max: to });
  fc.assert(
    fc.property(hours(-2_000, 2_000), hours(1, 2_000), fc.constantFrom(...ZONES), (ahead, length, timeZone) => {
      const now = instant("2026-03-25T09:30:00Z");
      const startsAt = now.add({ hours: ahead });
      const endsAt = startsAt.add({ hours: length });
      const { start, end, weeks, times } = comparableDays({ startsAt, endsAt }, now, timeZone);
      const [was, is] = [start, startsAt].map((at) => at.toZonedDateTimeISO(timeZone));
      expect(was?.dayOfWeek).toBe(is?.dayOfWeek);
      const bound = ahead < 0 ? startsAt : now;
      expect(Temporal.Instant.compare(end, bound)).toBeLessThanOrEqual(0);
      const weekLater = end.toZonedDateTimeISO(timeZone).add({ weeks: 1 }).toInstant().add({ hours: 1 });
      if (weeks > 1) expect(Temporal.Instant.compare(weekLater, bound)).toBeGreaterThan(0);
      expect(times).toBeGreaterThanOrEqual(1);
      if (length <= 14 * 24 - 1) expect(times).toBe(1);
    }),
  );
});
