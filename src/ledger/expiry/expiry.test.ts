import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ExpiryRules, lotExpiry } from "./expiry.ts";

const RULES: ExpiryRules = {
  delayMonths: 1,
  mode: "per_allotment",
  sweep: "daily",
  couponsExtend: true,
  returnedDays: 30,
  shorteningDays: 30,
  shortenedAt: Temporal.Instant.from("2026-06-10T09:00:00Z"),
  timeZone: "UTC",
};

const expiryOf = (since: string, rules = RULES) =>
  lotExpiry({ since: Temporal.Instant.from(since), expiresAt: null }, null, rules)?.toString();

describe("a delay that became shorter (program.md 5)", () => {
  test("gives points that would be gone at once the days of the setting", () => {
    expect(expiryOf("2026-01-01T12:00:00Z")).toBe("2026-07-11T00:00:00Z");
  });

  test("lets no older points outlive newer ones", () => {
    const since = fc
      .integer({ min: Date.UTC(2026, 0, 1, 9), max: Date.UTC(2026, 11, 1) })
      .map((ms) => Temporal.Instant.fromEpochMilliseconds(ms + 1));
    fc.assert(
      fc.property(since, since, (a, b) => {
        const [older, newer] = [a, b].sort(Temporal.Instant.compare).map((at) => expiryOf(at.toString()) ?? "");
        expect((older ?? "") <= (newer ?? "")).toBe(true);
      }),
    );
  });

  test("changes nothing for points with a later date", () => {
    expect(expiryOf("2026-07-01T12:00:00Z")).toBe(expiryOf("2026-07-01T12:00:00Z", { ...RULES, shortenedAt: null }));
  });
});
