import { expect, test } from "vitest";
import type { ExpiryRules } from "../expiry/expiry.ts";
import { burnLots, duePoints, expiryAfter, lotBurner, lotChanges } from "./lot-burner.ts";
import type { Lot } from "./lots.ts";

const LOTS = 100_000;
const FIRST = Temporal.Instant.from("2026-01-01T12:00:00Z");
const at = (n: number) => FIRST.add({ minutes: 10 * n });

const lots = (isDated: boolean): Lot[] =>
  Array.from({ length: LOTS }, (_, n) => ({
    version: BigInt(n + 1),
    part: 0,
    remaining: 2n,
    expiresAt: isDated ? at(n) : null,
    since: at(n),
    extends: false,
    origin: null,
  }));

/** Rules that count how many dates are computed by them. */
function countedRules(): { rules: ExpiryRules; dates(): number } {
  let dates = 0;
  const rules: ExpiryRules = {
    ...{
      delayMonths: 1,
      mode: "per_allotment",
      shortenedAt: null,
      shorteningDays: 0,
      returnedDays: 30,
      couponsExtend: true,
    },
    timeZone: "Asia/Tokyo",
    get sweep() {
      dates++;
      return "daily" as const;
    },
  };
  return { rules, dates: () => dates };
}

test.each([true, false])("what is due of very many lots (with own dates: %s) is found by few dates", (isDated) => {
  const { rules, dates } = countedRules();
  const window = { dated: [], datedMore: false, undated: [], undatedMore: false, named: [] };
  const burner = lotBurner({ ...window, [isDated ? "dated" : "undated"]: lots(isDated) }, rules);
  const now = isDated ? at(LOTS / 2) : at(LOTS / 2).add({ hours: 24 * 31 });
  const due = duePoints(burner, now, null);
  expect(due).toBeGreaterThan(BigInt(LOTS) - 1_000n);
  expect(due).toBeLessThan(BigInt(LOTS) + 1_000n);
  expect(burnLots(burner, due, [], null)).toHaveLength(Number(due) / 2);
  const next = expiryAfter(burner, now, null);
  expect(next && Temporal.Instant.compare(next, now)).toBe(1);
  expect(duePoints(burner, now, null)).toBe(0n);
  expect(dates()).toBeLessThan(100);
  const { usedUp, changed, opened } = lotChanges(burner);
  expect([usedUp.length, changed, opened]).toEqual([Number(due) / 2, [], []]);
});
