import { assert, constantFrom, double, integer, property } from "fast-check";
import { describe, expect, test } from "vitest";
import { healthAfter, isDead, RESENDS_MAX, resendDelayMicros, retryAfter } from "./retry-schedule.ts";

const NOW = Temporal.Instant.from("2027-03-01T00:00:00Z");
const fractions = double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const SECOND = 1_000_000;

describe("the wait before the k-th resend", () => {
  test("is 2^(k-1) seconds, give or take 5 %", () => {
    assert(
      property(integer({ min: 1, max: RESENDS_MAX }), fractions, (k, fraction) => {
        const wait = resendDelayMicros(k, fraction);
        expect(wait).toBeGreaterThanOrEqual(Math.floor(0.95 * 2 ** (k - 1) * SECOND));
        expect(wait).toBeLessThanOrEqual(Math.ceil(1.05 * 2 ** (k - 1) * SECOND));
      }),
    );
  });

  test("rises with the random fraction, from -5 % to +5 %", () => {
    expect([0, 0.5, 0.999_999_999].map((fraction) => resendDelayMicros(1, fraction))).toEqual([
      950_000,
      SECOND,
      1_050_000,
    ]);
  });
});

describe("what a failed attempt makes of its delivery", () => {
  test("21 attempts in all, the last 11.5 to 12.8 days after the first", () => {
    assert(
      property(fractions, (fraction) => {
        let retry = retryAfter("first", { attempts: 0, dueAt: NOW }, NOW, fraction);
        let attempts = 1;
        let lastAt = NOW;
        while (retry.state === "waiting") {
          expect(retry.attempts).toBe(attempts);
          lastAt = retry.dueAt;
          attempts += 1;
          retry = retryAfter("resend", retry, lastAt, fraction);
        }
        expect([attempts, retry.attempts]).toEqual([1 + RESENDS_MAX, 1 + RESENDS_MAX]);
        const days = NOW.until(lastAt).total("hours") / 24;
        expect(days).toBeGreaterThan(11.5);
        expect(days).toBeLessThan(12.8);
      }),
    );
  });

  test("nothing, when it was an early try", () => {
    assert(
      property(integer({ min: 1, max: RESENDS_MAX }), fractions, (attempts, fraction) => {
        const before = { attempts, dueAt: NOW.add({ hours: 5 }) };
        expect(retryAfter("early", before, NOW, fraction)).toEqual({ state: "waiting", ...before });
      }),
    );
  });
});

describe("a receiver's health", () => {
  test("dead after five failures in a row, revived by the next success", () => {
    let health = { failures: 0, revivals: 0 };
    for (let n = 1; n <= 4; n++) health = healthAfter(health, false);
    expect(isDead(health)).toBe(false);
    expect(healthAfter(health, true)).toEqual({ failures: 0, revivals: 0 });
    health = healthAfter(health, false);
    expect(isDead(health)).toBe(true);
    expect(healthAfter(health, true)).toEqual({ failures: 0, revivals: 1 });
  });

  test("revivals count the runs of five or more failures that a success ended", () => {
    const runs = constantFrom(0, 1, 4, 5, 6, 30);
    assert(
      property(runs, runs, runs, (...lengths) => {
        let health = { failures: 0, revivals: 0 };
        for (const length of lengths) {
          for (let n = 0; n < length; n++) health = healthAfter(health, false);
          health = healthAfter(health, true);
        }
        expect(health).toEqual({ failures: 0, revivals: lengths.filter((length) => length >= 5).length });
      }),
    );
  });
});
