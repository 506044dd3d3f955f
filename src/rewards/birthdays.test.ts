import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { birthdayFrom, birthdaysOf, mayRewardBirthday, nextDay } from "./birthdays.ts";

const days = fc
  .integer({ min: 0, max: 40_000 })
  .map((n) => Temporal.PlainDate.from("1990-01-01").add({ days: n }).toString());
const monthDays = fc
  .integer({ min: 0, max: 365 })
  .map((n) => Temporal.PlainDate.from("2000-01-01").add({ days: n }).toString().slice(5));

describe("birthdays", () => {
  test("29 February is celebrated on the 28th of a common year, on its own day in a leap year", () => {
    expect(birthdaysOf("2027-02-28")).toEqual(["02-28", "02-29"]);
    expect(birthdaysOf("2028-02-28")).toEqual(["02-28"]);
    expect(birthdaysOf("2028-02-29")).toEqual(["02-29"]);
    expect(birthdaysOf("2100-02-28")).toEqual(["02-28", "02-29"]);
    expect(birthdaysOf("2027-03-01")).toEqual(["03-01"]);
  });

  test("every birthday is celebrated on one day a year, the one that the search finds", () => {
    fc.assert(
      fc.property(days, monthDays, (day, monthDay) => {
        const found = birthdayFrom(monthDay, day);
        expect(found >= day).toBe(true);
        let walked = day;
        while (!birthdaysOf(walked).includes(monthDay)) walked = nextDay(walked);
        expect(found).toBe(walked);
      }),
    );
  });

  test("rewards are 12 months apart", () => {
    expect(mayRewardBirthday("2026-05-01", null)).toBe(true);
    expect(mayRewardBirthday("2027-04-30", "2026-05-01")).toBe(false);
    expect(mayRewardBirthday("2027-05-01", "2026-05-01")).toBe(true);
    expect(mayRewardBirthday("2029-02-28", "2028-02-29")).toBe(true);
    expect(mayRewardBirthday("2028-02-28", "2027-02-28")).toBe(true);
  });

  test("a birthday that stays the same is rewarded every year", () => {
    fc.assert(
      fc.property(days, monthDays, (day, monthDay) => {
        let on = birthdayFrom(monthDay, day);
        for (let n = 0; n < 9; n++) {
          const next = birthdayFrom(monthDay, nextDay(on));
          expect(mayRewardBirthday(next, on)).toBe(true);
          expect(Number(next.slice(0, 4))).toBe(Number(on.slice(0, 4)) + 1);
          on = next;
        }
      }),
    );
  });
});
