import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ParsedProgram, parseProgramDocument, programOf, showProgramDocument } from "./program-document.ts";
import { mergeProgramDocument } from "./program-merge.ts";
import type { ProgramDocument } from "./program-schema.ts";

let made = 0;
/** New uids for each document, as a verb gives them. */
function makeUids(): string[] {
  return Array.from({ length: 50 }, () => `00000000-0000-7000-8000-${String(++made).padStart(12, "0")}`);
}
const silverUid = "11111111-1111-7111-8111-111111111111";

const example = {
  store: { name: "My store", currency: "JPY", time_zone: "Asia/Tokyo" },
  earning: {
    point_value: 1,
    currency_value: 100,
    rounding: "up",
    include_tax: true,
    separate_tax: false,
    award_on: "paid_and_fulfilled",
    pending_days: 0,
    excluded_product_tags: ["no-points"],
    excluded_customer_tags: [],
    bonus_collections: [{ collection_id: "77", point_value: 1, currency_value: 100, starts_at: null, ends_at: null }],
  },
  campaigns: [
    {
      name: "Summer",
      starts_at: "2026-07-01T00:00:00+09:00",
      ends_at: "2026-08-01T00:00:00+09:00",
      point_value: 2,
      currency_value: 100,
      by_tier: { Silver: { point_value: 4, currency_value: 100 } },
    },
  ],
  tiers: {
    period_months: 1,
    start_month: 1,
    window_months: 12,
    on_miss: "one_down",
    spend_at: "fulfilled",
    rules: [
      { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
      { name: "Silver", default: false, currency_spent_requirement: 50000, point_value: 2, currency_value: 100 },
    ],
  },
  expiration: {
    delay_months: 12,
    mode: "sliding",
    sweep: "daily",
    coupons_extend: true,
    returned_days: 30,
    shortening_days: 30,
  },
  refunds: { shortfall: "cap", reimburse_coupons_on_partial: true },
  coupons: { point_worth: 1, lifetime_hours: 24, grace_hours: 24 },
  rewards: { signup: 0, marketing_opt_in: 0, birthday: 0 },
  staff: { approval_limit: null, daily_limit: null },
};

function parse(input: unknown, previous: ProgramDocument | null = null): ParsedProgram {
  return parseProgramDocument(input, { previous, spareUids: makeUids() });
}

function sound(input: unknown, previous: ProgramDocument | null = null): ProgramDocument {
  const parsed = parse(input, previous);
  if (parsed.kind === "faults") throw new Error(JSON.stringify(parsed.faults));
  return parsed.document;
}

function pointersOfFaults(input: unknown, previous: ProgramDocument | null = null): string[] {
  const parsed = parse(input, previous);
  return parsed.kind === "faults" ? parsed.faults.map(({ pointer }) => pointer ?? "?").toSorted() : [];
}

describe("a sound document", () => {
  test("the example of program.md 9 is read and shown as it was given", () => {
    const shown = showProgramDocument(sound(example));
    expect(shown).toMatchObject({
      ...example,
      campaigns: [
        { ...example.campaigns[0], starts_at: "2026-06-30T15:00:00.000000Z", ends_at: "2026-07-31T15:00:00.000000Z" },
      ],
    });
    expect(Object.keys(shown)).toEqual(Object.keys(example));
    expect(Object.keys(shown.earning)).toEqual(Object.keys(example.earning));
  });

  test("every field has a default", () => {
    const document = sound({});
    const { campaigns, tiers, earning, ...others } = example;
    expect(document).toMatchObject(others);
    expect(document.campaigns).toEqual([]);
    expect(document.earning).toEqual({ ...earning, excluded_product_tags: [], bonus_collections: [] });
    expect(document.tiers.rules).toMatchObject([{ name: "Bronze", default: true, currency_spent_requirement: 0 }]);
    expect(tiers).toMatchObject({ ...document.tiers, rules: expect.anything() });
  });

  test("what is shown is read back as the same document", () => {
    const document = sound(example);
    expect(sound(showProgramDocument(document), document)).toEqual(document);
    expect(sound(JSON.parse(JSON.stringify(document)), document)).toEqual(document);
  });

  test("a rate that is left out is the one of earning, also after a change of it", () => {
    const document = sound({
      ...example,
      tiers: {},
      campaigns: [{ name: "A", starts_at: "2026-01-01", ends_at: "2026-01-31", point_value: 5 }],
    });
    const later = sound(mergeProgramDocument(document, { earning: { point_value: 3, currency_value: 200 } }), document);
    const program = programOf(later, { version: 2, shortenedAt: null });
    expect(program.tiers.rules[0]).toMatchObject({ pointValue: 3n, currencyValue: 200n });
    expect(program.campaigns[0]?.rate).toEqual({ pointValue: 5n, currencyValue: 200n });
  });

  test("plain dates are days of the store's zone, the end date included", () => {
    const campaigns = [{ name: "A", starts_at: "2026-03-01", ends_at: "2026-03-31", point_value: 1 }];
    const [campaign] = sound({ store: { time_zone: "america/new_york" }, campaigns }).campaigns;
    expect(campaign).toMatchObject({
      starts_at: "2026-03-01T05:00:00.000000Z",
      ends_at: "2026-04-01T04:00:00.000000Z",
    });
  });

  test("the approval limit is none, or points of which 0 is some", () => {
    const limitOf = (input: unknown) => programOf(sound(input), { version: 1, shortenedAt: null }).staff.approvalLimit;
    expect(limitOf({})).toBeNull();
    expect(limitOf({ staff: { approval_limit: 0 } })).toBe(0n);
    expect(limitOf({ staff: { approval_limit: 5_000 } })).toBe(5_000n);
    expect(pointersOfFaults({ staff: { approval_limit: -1 } })).toEqual(["/staff/approval_limit"]);
  });

  test("the program inside: bigints, instants, tiers ascending, rates by uid", () => {
    const rules = [
      { uid: silverUid, name: "Silver", currency_spent_requirement: 50000, point_value: 2 },
      { name: "Bronze" },
    ];
    const program = programOf(sound({ ...example, tiers: { rules } }), { version: 7, shortenedAt: null });
    expect(program.version).toBe(7);
    expect(program.tiers.rules.map(({ name, isDefault, pointValue }) => [name, isDefault, pointValue])).toEqual([
      ["Bronze", true, 1n],
      ["Silver", false, 2n],
    ]);
    expect(program.campaigns[0]?.byTier.get(silverUid)).toEqual({ pointValue: 4n, currencyValue: 100n });
    expect(program.campaigns[0]?.startsAt.toString()).toBe("2026-06-30T15:00:00Z");
  });
});

describe("faults", () => {
  test("all are told at once, each with its field", () => {
    const faulty = {
      ...example,
      store: { name: "", currency: "YEN", time_zone: "+09:00", colour: "red" },
      earning: {
        ...example.earning,
        point_value: "1",
        currency_value: 0,
        include_tax: null,
        pending_days: 1.5,
        bonus_collections: {},
      },
      campaigns: [
        {
          name: "A",
          starts_at: "soon",
          ends_at: "2026-01-01",
          point_value: 1,
          by_tier: { "a/b": { point_value: -1 } },
        },
        4,
      ],
      expiration: null,
      rewards: { signup: 2 ** 53 },
      "rules~": [],
    };
    expect(pointersOfFaults(faulty)).toEqual(
      [
        "/store/name",
        "/store/currency",
        "/store/time_zone",
        "/store/colour",
        "/earning/point_value",
        "/earning/currency_value",
        "/earning/include_tax",
        "/earning/pending_days",
        "/earning/bonus_collections",
        "/campaigns/0/starts_at",
        "/campaigns/0/by_tier/a~1b",
        "/campaigns/0/by_tier/a~1b/point_value",
        "/campaigns/1",
        "/expiration",
        "/rewards/signup",
        "/rules~0",
      ].toSorted(),
    );
  });

  test("each says what was expected", () => {
    const parsed = parse({ store: { currency: "YEN" }, expiration: { delay_months: 0 }, tiers: { period_months: 5 } });
    expect(parsed).toEqual({
      kind: "faults",
      faults: [
        { pointer: "/store/currency", detail: 'expected an ISO 4217 code, such as "JPY"' },
        { pointer: "/tiers/period_months", detail: "expected one of 1, 2, 3, 4, 6, 12" },
        { pointer: "/expiration/delay_months", detail: "expected an integer from 1 to 1200 or null" },
      ],
    });
  });

  test.each<[string, unknown[], string[]]>([
    ["two of one name", [{ name: "A" }, { name: "A", currency_spent_requirement: 5 }], ["/tiers/rules/1/name"]],
    [
      "two of one uid",
      [
        { name: "A", uid: silverUid },
        { name: "B", uid: silverUid, currency_spent_requirement: 5 },
      ],
      ["/tiers/rules/1/uid"],
    ],
    ["no default", [{ name: "A", currency_spent_requirement: 5 }], ["/tiers/rules"]],
    [
      "a default that asks for spend",
      [{ name: "A", default: true, currency_spent_requirement: 5 }],
      ["/tiers/rules/0/currency_spent_requirement"],
    ],
    [
      "two defaults",
      [
        { name: "A", default: true },
        { name: "B", default: true, currency_spent_requirement: 5 },
      ],
      ["/tiers/rules/1/currency_spent_requirement", "/tiers/rules/1/default"],
    ],
    [
      "one requirement twice",
      [{ name: "A" }, { name: "B", currency_spent_requirement: 5 }, { name: "C", currency_spent_requirement: 5 }],
      ["/tiers/rules/2/currency_spent_requirement"],
    ],
    [
      "no name, twice the default",
      [{}, { name: "B" }, { name: "C", default: true }],
      ["/tiers/rules/0/name", "/tiers/rules/2/currency_spent_requirement", "/tiers/rules/2/default"],
    ],
  ])("tiers: %s", (_, rules, pointers) => {
    expect(pointersOfFaults({ tiers: { rules } })).toEqual(pointers);
  });

  test("campaigns that overlap, touch, or end before they start", () => {
    const campaign = (starts_at: string, ends_at: string) => ({ name: starts_at, starts_at, ends_at, point_value: 1 });
    const long = campaign("2026-01-01T00:00Z", "2026-12-01T00:00Z");
    const next = campaign("2026-12-01T00:00Z", "2026-12-02T00:00Z");
    expect(pointersOfFaults({ campaigns: [next, long] })).toEqual([]);
    const inside = [
      campaign("2026-02-01T00:00Z", "2026-03-01T00:00Z"),
      campaign("2026-04-01T00:00Z", "2026-05-01T00:00Z"),
    ];
    expect(pointersOfFaults({ campaigns: [...inside, long, next] })).toEqual([
      "/campaigns/0/starts_at",
      "/campaigns/1/starts_at",
    ]);
    expect(pointersOfFaults({ campaigns: [campaign("2026-02-01T00:00Z", "2026-02-01T00:00Z")] })).toEqual([
      "/campaigns/0/ends_at",
    ]);
  });

  test("a tier named twice, or not there", () => {
    const tiers = { rules: [{ name: "Bronze" }, { name: "Silver", uid: silverUid, currency_spent_requirement: 9 }] };
    const by_tier = { Silver: { point_value: 1 }, [silverUid]: { point_value: 2 }, Gold: { point_value: 3 } };
    const campaigns = [{ ...example.campaigns[0], by_tier }];
    expect(pointersOfFaults({ campaigns, tiers })).toEqual(
      ["/campaigns/0/by_tier/Gold", `/campaigns/0/by_tier/${silverUid}`].toSorted(),
    );
  });

  test("names of the language's own objects are names like others", () => {
    expect(pointersOfFaults(JSON.parse('{"__proto__": {}, "toString": 1}'))).toEqual(["/__proto__", "/toString"]);
    const campaigns = [{ ...example.campaigns[0], by_tier: JSON.parse('{"__proto__": {"point_value": 7}}') }];
    const tiers = { rules: [{ name: "__proto__", uid: silverUid }] };
    expect(sound({ campaigns, tiers }).campaigns[0]?.by_tier).toEqual({
      [silverUid]: { point_value: 7, currency_value: null },
    });
  });

  test("no value makes the reader throw, and what it accepts it accepts again", () => {
    const sections = fc.record(Object.fromEntries(Object.keys(example).map((section) => [section, fc.jsonValue()])), {
      requiredKeys: [],
    });
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue(), sections), (input) => {
        const parsed = parse(input);
        if (parsed.kind === "faults") expect(parsed.faults.length).toBeGreaterThan(0);
        else expect(sound(parsed.document)).toEqual(parsed.document);
      }),
      { numRuns: 500 },
    );
  });
});
