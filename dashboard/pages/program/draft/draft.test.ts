import { describe, expect, test } from "vitest";
import type { ProgramDocument } from "../../../../src/program/program-schema.ts";
import { editable, newTier, readField, withDefault, withField, withTiers } from "../document.ts";
import { faultPlace } from "../fault-place.ts";
import { carriedOver, changesOf, isSame, partOf } from "./draft.ts";

const tier = (name: string, requirement: number, points = 1) => ({
  uid: `uid-${name}`,
  name,
  default: requirement === 0,
  currency_spent_requirement: requirement,
  point_value: points,
  currency_value: 100,
});

const campaign = (name: string, by_tier: Record<string, { point_value: number; currency_value: number }> = {}) => ({
  name,
  starts_at: "2026-07-01T00:00:00.000000Z",
  ends_at: "2026-08-01T00:00:00.000000Z",
  point_value: 2,
  currency_value: 100,
  by_tier,
});

const document: ProgramDocument = {
  store: { name: "Tea", currency: "JPY", time_zone: "Asia/Tokyo" },
  earning: {
    point_value: 1,
    currency_value: 100,
    rounding: "up",
    include_tax: true,
    separate_tax: false,
    award_on: "paid",
    pending_days: 0,
    excluded_product_tags: ["a"],
    excluded_customer_tags: [],
    bonus_collections: [],
  },
  campaigns: [campaign("Summer", { Silver: { point_value: 4, currency_value: 100 } })],
  tiers: {
    period_months: 1,
    start_month: 1,
    window_months: 12,
    on_miss: "one_down",
    spend_at: "paid",
    rules: [tier("Bronze", 0), tier("Silver", 500)],
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
const base = editable(document);

describe("what a draft changes", () => {
  test("nothing, when it is the document as it is shown", () => {
    expect(changesOf(document, base)).toEqual([]);
    expect(partOf(base, base)).toEqual({});
  });

  test("settings by their field, and only those are sent", () => {
    const draft = withField(withField(base, "earning.rounding", "down"), "expiration.delay_months", null);
    expect(changesOf(base, draft)).toEqual([
      { field: "earning.rounding", subject: null, before: "up", after: "down" },
      { field: "expiration.delay_months", subject: null, before: 12, after: null },
    ]);
    expect(partOf(base, draft)).toEqual({ earning: { rounding: "down" }, expiration: { delay_months: null } });
    expect(readField(draft, "earning.rounding")).toBe("down");
  });

  test("a campaign that is added has its rates by the names of tiers", () => {
    const added = campaign("Winter", { "uid-Silver": { point_value: 4, currency_value: 100 } });
    expect(changesOf(base, { ...base, campaigns: [...base.campaigns, added] })).toEqual([
      {
        field: "campaigns",
        subject: "Winter",
        after: { ...added, by_tier: { Silver: { point_value: 4, currency_value: 100 } } },
      },
    ]);
  });

  test("a renamed tier is one change, and keeps its rate of a campaign", () => {
    const rules = base.tiers.rules.map((rule) => (rule.name === "Silver" ? { ...rule, name: "Gin" } : rule));
    const draft = withTiers(base, rules);
    expect(changesOf(base, draft)).toEqual([
      { field: "tiers.rules.name", subject: "Gin", before: "Silver", after: "Gin" },
    ]);
    expect(draft.campaigns[0]?.by_tier).toEqual({ "uid-Silver": { point_value: 4, currency_value: 100 } });
  });

  test("a tier that goes takes its rates along; one that comes is new", () => {
    const added = newTier(base.tiers.rules, "Gold", new Uint8Array(16).fill(171));
    const draft = withTiers(base, [tier("Bronze", 0), added]);
    expect(changesOf(base, draft).map(({ field, subject }) => [field, subject])).toEqual([
      ["campaigns.by_tier", "Summer"],
      ["tiers.rules", "Gold"],
      ["tiers.rules", "Silver"],
    ]);
    expect(changesOf(base, draft)[0]).toMatchObject({ before: { Silver: { point_value: 4 } }, after: {} });
    expect(added).toMatchObject({ uid: "abababab-abab-4bab-8bab-abababababab", currency_spent_requirement: 1_000 });
  });

  test("another default tier has no requirement, and the old one takes over its requirement", () => {
    const draft = withTiers(base, withDefault(base.tiers.rules, 1));
    expect(draft.tiers.rules.map((rule) => [rule.name, rule.default, rule.currency_spent_requirement])).toEqual([
      ["Bronze", false, 500],
      ["Silver", true, 0],
    ]);
  });

  test("campaigns that come, go and change, each by name", () => {
    const draft = { ...base, campaigns: [{ ...campaign("Summer"), point_value: 9 }, campaign("Winter")] };
    expect(changesOf(base, draft).map(({ field, subject }) => [field, subject])).toEqual([
      ["campaigns.point_value", "Summer"],
      ["campaigns.by_tier", "Summer"],
      ["campaigns", "Winter"],
    ]);
    expect(changesOf(draft, base).at(-1)).toMatchObject({ field: "campaigns", before: { name: "Winter" } });
  });

  test("a time is the same with the decimals of the service and of the browser", () => {
    const [micros, millis] = ["2026-07-01T00:00:00.000000Z", "2026-07-01T00:00:00.000Z"];
    expect(isSame(micros, millis)).toBe(true);
    expect(isSame("2026-07-01T00:00:00.500000Z", "2026-07-01T00:00:00.5Z")).toBe(true);
    expect(isSame(micros, "2026-07-01T00:00:00.000001Z")).toBe(false);
    expect(isSame("1.0Z", "1.00Z")).toBe(false);
    const draft = { ...base, campaigns: [...base.campaigns, { ...campaign("New"), starts_at: millis }] };
    const applied = { ...base, campaigns: [...base.campaigns, { ...campaign("New"), starts_at: micros }] };
    expect(changesOf(applied, carriedOver(base, draft, applied))).toEqual([]);
  });

  test("carried over to a newer version, only what it changed stays", () => {
    const draft = withField(base, "earning.rounding", "down");
    const newer = withField(withField(base, "earning.pending_days", 7), "rewards.signup", 50);
    const carried = carriedOver(base, draft, newer);
    expect(changesOf(newer, carried).map(({ field }) => field)).toEqual(["earning.rounding"]);
    expect(carried.earning).toMatchObject({ rounding: "down", pending_days: 7 });
  });
});

describe("carried over to a version in which somebody else changed the same list", () => {
  const names = (carried: ProgramDocument) =>
    carried.campaigns.map(({ name, point_value }) => `${name} ${point_value}`);
  const withCampaigns = (...campaigns: ProgramDocument["campaigns"]) => ({ ...base, campaigns });
  const summer = campaign("Summer", { Silver: { point_value: 4, currency_value: 100 } });

  test("the campaigns that both added stay", () => {
    const carried = carriedOver(
      base,
      withCampaigns(summer, campaign("Mine")),
      withCampaigns(summer, campaign("Theirs")),
    );
    expect(names(carried)).toEqual(["Summer 2", "Theirs 2", "Mine 2"]);
  });

  test("two that both added under one name stay, the draft's under a free name", () => {
    const theirs = { ...campaign("New"), point_value: 3 };
    const mine = { ...campaign("New"), point_value: 4, starts_at: "2026-07-15T00:00:00.000000Z" };
    const carried = carriedOver(base, withCampaigns(summer, mine), withCampaigns(summer, theirs));
    expect(carried.campaigns).toEqual([summer, theirs, { ...mine, name: "New 2" }]);
    const second = { ...mine, point_value: 5 };
    const three = carriedOver(base, withCampaigns(summer, second), carried);
    expect(names(three)).toEqual(["Summer 2", "New 3", "New 2 4", "New 3 5"]);
    const draft = withCampaigns(mine, campaign("New 2"));
    expect(carriedOver(withCampaigns(), draft, withCampaigns(theirs)).campaigns).toEqual([
      ...[theirs, campaign("New 2"), { ...mine, name: "New 3" }],
    ]);
  });

  test("one that both added is there once, however often it is carried over", () => {
    const [theirs, mine] = [campaign("New"), { ...campaign("New"), point_value: 4 }];
    const draft = withCampaigns(summer, mine);
    const carried = carriedOver(base, draft, withCampaigns(summer, theirs));
    expect(carriedOver(base, draft, carried)).toEqual(carried);
    expect(carriedOver(base, draft, draft)).toEqual(draft);
  });

  test("a bonus that both added to one collection is one", () => {
    const bonus = {
      collection_id: "7",
      name: null,
      point_value: 1,
      currency_value: null,
      starts_at: null,
      ends_at: null,
    };
    const [mine, theirs] = [1, 2].map((point_value) =>
      withField(base, "earning.bonus_collections", [{ ...bonus, point_value }]),
    );
    const carried = carriedOver(base, mine ?? base, theirs ?? base);
    expect(carried.earning.bonus_collections).toEqual([{ ...bonus, point_value: 1 }]);
  });

  test("fields of one campaign come from whoever changed them", () => {
    const mine = withCampaigns({ ...summer, point_value: 9 });
    const carried = carriedOver(base, mine, withCampaigns({ ...summer, ends_at: "2026-09-01T00:00:00.000000Z" }));
    expect(carried.campaigns).toEqual([{ ...summer, point_value: 9, ends_at: "2026-09-01T00:00:00.000000Z" }]);
  });

  test("one that the draft removed is removed, and one that they removed stays only if the draft changed it", () => {
    expect(names(carriedOver(base, withCampaigns(), withCampaigns(summer, campaign("Theirs"))))).toEqual(["Theirs 2"]);
    const unchanged = withField(base, "earning.rounding", "down");
    expect(names(carriedOver(base, unchanged, withCampaigns()))).toEqual([]);
    expect(names(carriedOver(base, withCampaigns({ ...summer, point_value: 9 }), withCampaigns()))).toEqual([
      "Summer 9",
    ]);
  });

  test("two of the same name are told apart by their order", () => {
    const twice = withCampaigns(campaign("Twin"), { ...campaign("Twin"), point_value: 3 });
    const mine = withCampaigns(campaign("Twin"), { ...campaign("Twin"), point_value: 7 });
    expect(names(carriedOver(twice, mine, twice))).toEqual(["Twin 2", "Twin 7"]);
  });

  test("tiers are told apart by their uid, so a tier that somebody else added stays beside one that the draft renamed", () => {
    const rules = base.tiers.rules.map((rule) => (rule.name === "Silver" ? { ...rule, name: "Gin" } : rule));
    const theirs = withTiers(base, [
      ...base.tiers.rules,
      newTier(base.tiers.rules, "Gold", new Uint8Array(16).fill(171)),
    ]);
    const carried = carriedOver(base, withTiers(base, rules), theirs);
    expect(carried.tiers.rules.map(({ name }) => name)).toEqual(["Bronze", "Gin", "Gold"]);
  });
});

test("a bonus is called by its name, and by its collection without one", () => {
  const bonus = {
    collection_id: "7",
    name: "Teas",
    point_value: 1,
    currency_value: null,
    starts_at: null,
    ends_at: null,
  };
  const named = withField(base, "earning.bonus_collections", [bonus]);
  const unnamed = withField(base, "earning.bonus_collections", [{ ...bonus, name: null }]);
  const field = "earning.bonus_collections";
  expect(changesOf(base, named)).toEqual([{ field, subject: "Teas", before: undefined, after: bonus }]);
  expect(changesOf(named, unnamed)).toEqual([{ field: `${field}.name`, subject: "7", before: "Teas", after: null }]);
  const subjectOf = (of: ProgramDocument) => faultPlace("/earning/bonus_collections/0/starts_at", of).subject;
  expect([subjectOf(named), subjectOf(unnamed)]).toEqual(["Teas", "7"]);
});

test("a bonus is sent with its name, and without that field if it has none: a node of the version before refuses it", () => {
  const plain = { collection_id: "7", point_value: 1, currency_value: null, starts_at: null, ends_at: null };
  const withNames = (...names: (string | null)[]) => {
    const bonuses = names.map((name, n) => ({ ...plain, collection_id: `${n}`, name }));
    return withField(base, "earning.bonus_collections", bonuses);
  };
  const sent = (before: ProgramDocument, after: ProgramDocument) => partOf(before, after)["earning"];
  const [first, second] = [
    { ...plain, collection_id: "0" },
    { ...plain, collection_id: "1" },
  ];
  expect(sent(base, withNames(null, "Teas"))).toEqual({ bonus_collections: [first, { ...second, name: "Teas" }] });
  expect(sent(withNames("Teas"), withNames(null))).toEqual({ bonus_collections: [first] });
  expect(Object.keys(Object(sent(base, withNames(null))).bonus_collections[0])).not.toContain("name");
  // on top of another version, a name that the draft removed stays removed
  const carried = carriedOver(withNames("Teas"), withNames(null), withNames("Teas", "Cups"));
  expect(carried.earning.bonus_collections.map(({ name }) => name)).toEqual([null, "Cups"]);
});

test("a fault leads to where it is put right", () => {
  const place = (pointer: string) => {
    const { field, subject, to } = faultPlace(pointer, base);
    return [field, subject, to];
  };
  expect(place("/expiration/delay_months")).toEqual(["expiration.delay_months", null, "/program/expiration"]);
  expect(place("/campaigns/0/starts_at")).toEqual(["campaigns.starts_at", "Summer", "/program/campaigns?open=0"]);
  expect(place("/tiers/rules/1/name")).toEqual(["tiers.rules.name", "Silver", "/program/tiers"]);
  expect(place("/earning/bonus_collections/4/collection_id")).toEqual([
    "earning.bonus_collections.collection_id",
    "",
    "/program/bonuses",
  ]);
});
