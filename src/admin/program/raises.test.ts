import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isBetterRate, snapshotRules } from "../../orders/plan/order-rules.ts";
import type { Program } from "../../program/program.ts";
import { parseProgramDocument, programOf } from "../../program/program-document.ts";
import { raisesOf } from "./raises.ts";

const NOW = Temporal.Instant.from("2026-03-10T12:00:00Z");
const spareUids = Array.from({ length: 60 }, (_, n) => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`);
const uidOf = (n: number) => `00000000-0000-4000-9000-${String(n).padStart(12, "0")}`;

function program(input: object): Program {
  const parsed = parseProgramDocument(input, { previous: null, spareUids });
  if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
  return programOf(parsed.document, { version: 1, shortenedAt: null });
}

const raises = (before: object, after: object) =>
  raisesOf({ before: program(before), after: program(after), from: NOW });

const tier = (n: number, requirement: number, points: number) => ({
  ...{ uid: uidOf(n), name: `T${n}`, currency_spent_requirement: requirement },
  ...{ point_value: points, currency_value: 100 },
});
const campaign = (from: string, to: string, points: number, more: object = {}) => ({
  ...{ name: "C", starts_at: from, ends_at: to, point_value: points, currency_value: 100 },
  ...more,
});

describe("a change that pays more", () => {
  test.each<[pointer: string, lower: object, higher: object]>([
    ["/store/currency", { store: { currency: "JPY" } }, { store: { currency: "USD" } }],
    ["/earning/point_value", {}, { earning: { point_value: 2 } }],
    ["/earning/point_value", {}, { earning: { currency_value: 99 } }],
    ["/earning/rounding", { earning: { rounding: "down" } }, { earning: { rounding: "half_up" } }],
    ["/earning/include_tax", { earning: { include_tax: false } }, {}],
    ["/earning/award_on", {}, { earning: { award_on: "paid" } }],
    [
      "/earning/excluded_product_tags",
      { earning: { excluded_product_tags: ["a", "B "] } },
      { earning: { excluded_product_tags: ["A"] } },
    ],
    ["/earning/excluded_customer_tags", { earning: { excluded_customer_tags: ["staff"] } }, {}],
    ["/tiers/window_months", {}, { tiers: { window_months: 13 } }],
    ["/tiers/on_miss", {}, { tiers: { on_miss: "never" } }],
    ["/tiers/spend_at", {}, { tiers: { spend_at: "paid" } }],
    ["/refunds/shortfall", { refunds: { shortfall: "owe" } }, {}],
    ["/refunds/reimburse_coupons_on_partial", { refunds: { reimburse_coupons_on_partial: false } }, {}],
    ["/coupons/point_worth", {}, { coupons: { point_worth: 2 } }],
    ["/rewards/signup", {}, { rewards: { signup: 1 } }],
    ["/rewards/marketing_opt_in", {}, { rewards: { marketing_opt_in: 1 } }],
    ["/rewards/birthday", { rewards: { birthday: 1 } }, { rewards: { birthday: 2 } }],
    ["/staff/approval_limit", { staff: { approval_limit: 5 } }, { staff: { approval_limit: 6 } }],
    ["/staff/approval_limit", { staff: { approval_limit: 5 } }, {}],
    ["/staff/daily_limit", { staff: { daily_limit: 5 } }, { staff: { daily_limit: null } }],
    ["/tiers/rules", { tiers: { rules: [tier(1, 0, 2)] } }, { tiers: { rules: [tier(1, 0, 3)] } }],
    [
      "/tiers/rules",
      { tiers: { rules: [tier(1, 0, 1), tier(2, 500, 5)] } },
      { tiers: { rules: [tier(1, 0, 1), tier(2, 499, 5)] } },
    ],
    [
      "/tiers/rules",
      { tiers: { rules: [tier(1, 0, 1)] } },
      { tiers: { rules: [tier(1, 0, 1), tier(2, 9_000_000, 5)] } },
    ],
    ["/tiers/rules", { tiers: { rules: [tier(1, 0, 5), tier(2, 500, 1)] } }, { tiers: { rules: [tier(1, 0, 5)] } }],
    ["/campaigns", {}, { campaigns: [campaign("2026-04-01", "2026-04-02", 10)] }],
    [
      "/campaigns",
      { campaigns: [campaign("2026-04-01", "2026-04-02", 10)] },
      { campaigns: [campaign("2026-04-01", "2026-04-03", 10)] },
    ],
    [
      "/campaigns",
      { earning: { point_value: 5 }, campaigns: [campaign("2026-04-01", "2026-04-02", 1)] },
      { earning: { point_value: 5 } },
    ],
    ["/earning/bonus_collections", {}, { earning: { bonus_collections: [{ collection_id: "1", point_value: 1 }] } }],
  ])("%s", (pointer, lower, higher) => {
    expect(raises(lower, higher)).toEqual([pointer]);
    if (pointer !== "/store/currency") expect(raises(higher, lower)).toEqual([]);
    expect(raises(higher, higher)).toEqual([]);
  });

  test("is none where points come or go at another time, a campaign is over, or a limit is set", () => {
    const over = { campaigns: [campaign("2026-03-01", "2026-03-09", 100)] };
    expect(raises({}, over)).toEqual([]);
    const later = { earning: { pending_days: 9 }, expiration: { delay_months: null }, coupons: { lifetime_hours: 99 } };
    expect([raises(later, {}), raises({}, later)]).toEqual([[], []]);
    expect(raises({}, { staff: { approval_limit: 5, daily_limit: 5 } })).toEqual([]);
    expect(raises({}, { earning: { bonus_collections: [{ collection_id: "1", point_value: 0 }] } })).toEqual([]);
  });

  test("takes no time for a document of the largest size", () => {
    const day = (n: number) => Temporal.PlainDate.from("2026-04-01").add({ days: n }).toString();
    const rules = Array.from({ length: 50 }, (_, n) => tier(n, n * 1_000, n + 1));
    const campaigns = Array.from({ length: 250 }, (_, n) => campaign(day(2 * n), day(2 * n), 1, { name: `C${n}` }));
    const bonus_collections = Array.from({ length: 250 }, (_, n) => ({
      ...{ collection_id: `${n}`, point_value: 1, currency_value: 100 },
      ...{ starts_at: day(3 * n), ends_at: day(3 * n + 1) },
    }));
    const document = { tiers: { rules }, campaigns, earning: { bonus_collections } };
    const [before, after] = [program(document), program(document)];
    const begin = process.cpuUsage();
    expect(raisesOf({ before, after, from: NOW })).toEqual([]);
    expect(process.cpuUsage(begin).user / 1_000).toBeLessThan(5_000); // in ms of the processor, however busy the machine is
  });
});

const day = fc.integer({ min: 1, max: 28 }).map((n) => `2026-03-${String(n).padStart(2, "0")}`);
const rate = fc.record({ point_value: fc.integer({ min: 0, max: 4 }), currency_value: fc.integer({ min: 1, max: 3 }) });
const span = fc.tuple(day, day).map(([a, b]) => (a <= b ? { starts_at: a, ends_at: b } : { starts_at: b, ends_at: a }));
const document = fc.record({
  earning: fc.record({
    ...{ point_value: fc.integer({ min: 0, max: 4 }), currency_value: fc.integer({ min: 1, max: 3 }) },
    bonus_collections: fc.array(
      fc.tuple(fc.constantFrom("x", "y"), rate, span).map(([collection_id, r, s]) => ({ collection_id, ...r, ...s })),
      { maxLength: 1 },
    ),
  }),
  campaigns: fc.array(
    fc.tuple(rate, span, fc.option(rate)).map(([r, s, own]) => ({
      ...{ name: "C", ...r, ...s },
      by_tier: own === null ? {} : { [uidOf(1)]: own },
    })),
    { maxLength: 1 },
  ),
  tiers: fc.tuple(rate, fc.option(fc.tuple(fc.integer({ min: 1, max: 9 }), rate))).map(([first, second]) => ({
    rules: [
      { uid: uidOf(1), name: "T1", ...first },
      ...(second === null ? [] : [{ uid: uidOf(2), name: "T2", currency_spent_requirement: second[0], ...second[1] }]),
    ],
  })),
});

test("somebody earns at a better rate if, and only if, the change is said to pay more", () => {
  fc.assert(
    fc.property(document, document, (lower, higher) => {
      const [before, after] = [program(lower), program(higher)];
      let isBetter = false;
      for (let hour = 0; hour < 24 * 25; hour += 1) {
        const at = NOW.add({ hours: hour });
        for (const [was, is] of tiersOf(before, after)) {
          const [old, next] = [snapshotRules(before, was, at, []), snapshotRules(after, is, at, [])];
          const none = { pointValue: 0n, currencyValue: 1n };
          const bonuses = [...next.bonuses].map(([id, bonus]) => [bonus, old.bonuses.get(id) ?? none] as const);
          isBetter ||= [[next.rate, old.rate] as const, ...bonuses].some(([a, b]) => isBetterRate(a, b));
        }
        if (isBetter) break;
      }
      expect(raisesOf({ before, after, from: NOW }).length > 0).toBe(isBetter);
    }),
    { numRuns: 200 },
  );
});

/** The pairs of a customer who stays in a tier, and of the tiers of a spend, for every spend up to 10. */
function tiersOf(before: Program, after: Program) {
  const staying = before.tiers.rules.flatMap((was) =>
    after.tiers.rules.filter(({ uid }) => uid === was.uid).map((is) => [was, is] as const),
  );
  const of = ({ tiers }: Program, spend: number) => {
    const found = tiers.rules
      .filter(({ currencySpentRequirement }) => currencySpentRequirement <= BigInt(spend))
      .at(-1);
    if (found === undefined) throw new Error("a program has a tier");
    return found;
  };
  const spending = Array.from({ length: 11 }, (_, spend) => [of(before, spend), of(after, spend)] as const);
  return [...staying, ...spending];
}
