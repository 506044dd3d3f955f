import { describe, expect, test } from "vitest";
import { parseProgramDocument, programOf } from "../program/program-document.ts";
import { advancement } from "./advancement.ts";
import {
  campaignAt,
  campaignFields,
  campaignShown,
  defaultTier,
  matchTier,
  rateOf,
  tierOfSpend,
} from "./tier-rules.ts";

const bronze = "aaaaaaaa-0000-7000-8000-000000000000";
const silver = "bbbbbbbb-0000-7000-8000-000000000000";
const gold = "cccccccc-0000-7000-8000-000000000000";
const document = {
  campaigns: [
    { name: "Winter", starts_at: "2026-12-01T00:00Z", ends_at: "2026-12-31T00:00Z", point_value: 9 },
    {
      name: "Summer",
      starts_at: "2026-07-01T00:00Z",
      ends_at: "2026-08-01T00:00Z",
      point_value: 3,
      currency_value: 50,
      by_tier: { Silver: { point_value: 4, currency_value: 200 } },
    },
  ],
  tiers: {
    rules: [
      { uid: gold, name: silver, currency_spent_requirement: 90_000, point_value: 3 },
      { uid: bronze, name: "Bronze", point_value: 1 },
      { uid: silver, name: "Silver", currency_spent_requirement: 50_000, point_value: 2 },
    ],
  },
};
const parsed = parseProgramDocument(document, { previous: null, spareUids: [] });
if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
const program = programOf(parsed.document, { version: 1, shortenedAt: null });
const { rules } = program.tiers;
const at = (text: string) => Temporal.Instant.from(text);

test("a tier is matched by uid first, then by name", () => {
  expect(matchTier(rules, silver)?.uid).toBe(silver);
  expect(matchTier(rules, silver.toUpperCase())?.uid).toBe(silver);
  expect(matchTier(rules, "Silver")?.uid).toBe(silver);
  expect(matchTier(rules, "silver")).toBeUndefined();
  expect(defaultTier(rules).uid).toBe(bronze);
});

test("the highest tier met", () => {
  expect([-1n, 0n, 49_999n, 50_000n, 90_000n].map((spent) => tierOfSpend(rules, spent).uid)).toEqual([
    bronze,
    bronze,
    bronze,
    silver,
    gold,
  ]);
});

describe("campaigns", () => {
  test("one runs from its start to before its end; shown is the running one, else the next", () => {
    const named = (text: string) => [campaignAt(program, at(text))?.name, campaignShown(program, at(text))?.name];
    expect(named("2026-06-30T23:59:59Z")).toEqual([undefined, "Summer"]);
    expect(named("2026-07-01T00:00:00Z")).toEqual(["Summer", "Summer"]);
    expect(named("2026-08-01T00:00:00Z")).toEqual([undefined, "Winter"]);
    expect(named("2026-12-31T00:00:00Z")).toEqual([undefined, undefined]);
  });

  test("the rate: the campaign's for the tier, else its own, else the tier's, else earning's", () => {
    const rate = (uid: string | null, text: string) => {
      const { pointValue, currencyValue } = rateOf(program, uid, at(text));
      return [pointValue, currencyValue];
    };
    expect(rate(silver, "2026-07-15T00:00Z")).toEqual([4n, 200n]);
    expect(rate(gold, "2026-07-15T00:00Z")).toEqual([3n, 50n]);
    expect(rate(null, "2026-07-15T00:00Z")).toEqual([3n, 50n]);
    expect(rate(gold, "2026-12-15T00:00Z")).toEqual([9n, 100n]);
    expect(rate(gold, "2026-09-15T00:00Z")).toEqual([3n, 100n]);
    expect(rate("deleted", "2026-09-15T00:00Z")).toEqual([1n, 100n]);
  });

  test("the campaign fields of a tier: null where the campaign's default rate applies", () => {
    const fields = (text: string) => rules.map((rule) => Object.values(campaignFields(program, rule, at(text))));
    expect(fields("2026-06-01T00:00Z")).toEqual([
      [null, 50n],
      [4n, 200n],
      [null, 50n],
    ]);
    expect(fields("2027-06-01T00:00Z")).toEqual([
      [null, 100n],
      [null, 100n],
      [null, 100n],
    ]);
  });
});

describe("advancement", () => {
  const deadline = at("2026-04-01T00:00:00Z");
  const of = (uid: string, spent: bigint) => {
    const present = matchTier(rules, uid);
    if (present === undefined) throw new Error(uid);
    const { next, tiers, maintenance } = advancement(rules, { present, spent, deadline });
    return {
      next: next && [next.rule.uid, next.remaining],
      tiers: tiers.map(({ rule, remaining, ratio }) => [rule.uid, remaining, ratio]),
      maintenance: maintenance.remaining,
    };
  };

  test("what is left to spend, for the next tier, for each tier, and to stay", () => {
    expect(of(silver, 20_000n)).toEqual({
      next: [gold, 70_000n],
      tiers: [
        [bronze, 0n, 0.01],
        [silver, 30_000n, 0.02],
        [gold, 70_000n, 0.03],
      ],
      maintenance: 30_000n,
    });
  });

  test("never below 0, and no next tier at the top", () => {
    expect(of(gold, 120_000n)).toMatchObject({ next: null, maintenance: 0n });
    expect(of(bronze, 60_000n)).toMatchObject({ next: [silver, 0n], maintenance: 0n });
  });
});
