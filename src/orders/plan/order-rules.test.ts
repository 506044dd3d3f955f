import { describe, expect, test } from "vitest";
import type { Program } from "../../program/program.ts";
import { decodeRules, encodeRules, type ProductFacts, snapshotRules } from "./order-rules.ts";

const at = (text: string): Temporal.Instant => Temporal.Instant.from(text);
const rate = (pointValue: bigint, currencyValue: bigint) => ({ pointValue, currencyValue });
const TIER = { uid: "s", name: "Silver", isDefault: false, currencySpentRequirement: 0n, ...rate(2n, 100n) };
const campaign = (name: string, from: string, to: string) => ({
  name,
  startsAt: at(from),
  endsAt: at(to),
  rate: rate(3n, 100n),
  byTier: new Map([["s", rate(4n, 100n)]]),
});

const PROGRAM: Program = {
  version: 5,
  store: { name: "Store", currency: "JPY", timeZone: "Asia/Tokyo" },
  earning: {
    rate: rate(1n, 100n),
    rounding: "up",
    includeTax: true,
    separateTax: false,
    awardOn: "paid",
    pendingDays: 7,
    excludedProductTags: ["No-Points"],
    excludedCustomerTags: ["Staff"],
    bonusCollections: [
      { collectionId: "c", name: null, ...rate(1n, 100n), startsAt: null, endsAt: null },
      { collectionId: "c", name: null, ...rate(1n, 50n), startsAt: at("2026-07-01T00:00:00Z"), endsAt: null },
      { collectionId: "d", name: null, ...rate(1n, 50n), startsAt: null, endsAt: at("2026-06-01T00:00:00Z") },
    ],
  },
  campaigns: [campaign("Summer", "2026-07-01T00:00:00Z", "2026-08-01T00:00:00Z")],
  tiers: { periodMonths: 1, startMonth: 1, windowMonths: 12, onMiss: "one_down", spendAt: "paid", rules: [TIER] },
  expiration: {
    delayMonths: 12,
    mode: "sliding",
    sweep: "daily",
    couponsExtend: true,
    returnedDays: 30,
    shorteningDays: 30,
    shortenedAt: null,
  },
  refunds: { shortfall: "owe", reimburseCouponsOnPartial: false },
  coupons: { pointWorth: 2n, lifetimeHours: 24, graceHours: 24 },
  rewards: { signup: 0n, marketingOptIn: 0n, birthday: 0n },
  staff: { approvalLimit: null, dailyLimit: null },
};

const snapshot = (time: string, tags: readonly string[] = [], tier = TIER) =>
  snapshotRules(PROGRAM, tier, at(time), tags);

describe("snapshot of the rules", () => {
  test.each([
    ["2026-06-30T23:59:59Z", null, 2n],
    ["2026-07-01T00:00:00Z", "Summer", 4n],
    ["2026-07-31T23:59:59Z", "Summer", 4n],
    ["2026-08-01T00:00:00Z", null, 2n],
  ])("at %s the campaign is %s", (time, name, points) => {
    const rules = snapshot(time);
    expect([rules.campaign, rules.rate]).toEqual([name, rate(points, 100n)]);
  });

  test("a tier that the campaign does not name has the campaign's own rate", () => {
    expect(snapshot("2026-07-10T00:00:00Z", [], { ...TIER, uid: "other" }).rate).toEqual(rate(3n, 100n));
  });

  test("bonuses that run, the best of each collection", () => {
    expect([...snapshot("2026-07-10T00:00:00Z").bonuses]).toEqual([["c", rate(1n, 50n)]]);
    expect([...snapshot("2026-05-10T00:00:00Z").bonuses]).toEqual([
      ["c", rate(1n, 100n)],
      ["d", rate(1n, 50n)],
    ]);
  });

  test("customers with an excluded tag, in any case", () => {
    expect(snapshot("2026-05-10T00:00:00Z", ["vip", "STAFF"]).isCustomerExcluded).toBe(true);
    expect(snapshot("2026-05-10T00:00:00Z", ["vip"]).isCustomerExcluded).toBe(false);
  });

  test("goes through JSON unchanged; anything else is refused", () => {
    const rules = {
      ...snapshot("2026-07-10T00:00:00Z"),
      products: new Map<string, ProductFacts | null>([
        ["p", null],
        ["q", { tags: ["a"], collections: [] }],
        ["r", { tags: [], collections: ["c"], open: "tags" }],
      ]),
    };
    expect(decodeRules(JSON.parse(JSON.stringify(encodeRules(rules))))).toEqual(rules);
    expect(() => decodeRules({ ...Object(encodeRules(rules)), rounding: "sideways" })).toThrow(TypeError);
    expect(() => decodeRules({})).toThrow(TypeError);
  });
});
