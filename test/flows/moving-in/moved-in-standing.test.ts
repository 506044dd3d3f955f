import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { readProgram } from "../../../src/program/read-program.ts";
import { addSpendBase } from "../../../src/tiers/add-spend-base.ts";
import { evaluateTiers } from "../../../src/tiers/evaluate-tiers.ts";
import { placeManyInTier } from "../../../src/tiers/place-many-in-tier.ts";
import { readEarnedSince } from "../../../src/tiers/read-earned-since.ts";
import { removeSpendBase } from "../../../src/tiers/remove-spend-base.ts";
import { NEVER_PLACED, selectTiers } from "../../../src/tiers/tier-queries.ts";
import { assignmentOf, keptTierOf } from "../../../src/tiers/tier-update.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";
const START = "2026-01-15T12:00:00Z";
const IMPORT = "019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884";
const at = (text: string) => Temporal.Instant.from(text);

let service: TestService;
beforeAll(async () => {
  const rules = ["Bronze", "Silver", "Gold"].map((name, rank) => ({
    name,
    currency_spent_requirement: rank * 1_000,
    point_value: 1,
    currency_value: 100,
  }));
  const tiers = { period_months: 1, start_month: 1, window_months: 1, on_miss: "one_down", rules };
  const program = { store: { currency: "JPY", time_zone: "UTC" }, tiers };
  service = await startTestService({ worker: false, now: START, program });
});
afterAll(() => service.stop());

beforeEach(async () => {
  service.clock.set(START);
  for (const table of ["designation", "customer_tier", "tier_change", "customer_spend_base"])
    await service.owner.execute(`delete from ${table}`);
});

/** Places a customer as an import does; `keepUntil` as `placeManyInTier` takes it. */
async function place(customer: CustomerRow, tier: string, keepUntil: Temporal.Instant | null | undefined) {
  await service.deps.db.tx(async (tx) => {
    const { rules } = (await readProgram(tx)).tiers;
    const stored = (await selectTiers(tx, [customer])).get(customer.customerUid);
    const before = assignmentOf(rules, stored ?? { tierUid: null, minimumTierUid: null, skipNextCheck: false });
    const rule = rules.find(({ name }) => name === tier);
    if (rule === undefined) throw new Error("no such tier");
    const placement = { customer, before, after: { ...before, tier: rule }, keepUntil };
    await placeManyInTier(tx, service.deps, [placement], { cause: "manual", actor: null });
  });
}

const storedOf = async (customer: CustomerRow) =>
  (await selectTiers(service.deps.db, [customer])).get(customer.customerUid);
const tierOf = async ({ storefrontId }: CustomerRow): Promise<string> =>
  (await service.client.get(`${API}/point_balances/${storefrontId}/tier`)).body.data.tier;

async function checkOn(date: string): Promise<void> {
  service.clock.set(`${date}T00:00:01Z`);
  await evaluateTiers(service.deps);
}

const base = (customer: CustomerRow, spentMinor: bigint, asOf: string) => ({
  ...{ bucket: customer.bucket, customerUid: customer.customerUid, importUid: IMPORT },
  spentMinor,
  asOf: at(asOf),
});

describe("a tier that is kept until a date", () => {
  test("no check before the date drops the customer below it; the first one after it does", async () => {
    const customer = await makeCustomer(service.deps);
    const other = await makeCustomer(service.deps);
    await place(customer, "Gold", at("2026-03-15T00:00:00Z"));
    await place(other, "Gold", undefined);
    for (const [date, kept, dropped] of [
      ["2026-02-01", "Gold", "Silver"],
      ["2026-03-01", "Gold", "Bronze"],
      ["2026-04-01", "Silver", "Bronze"],
    ] as const) {
      await checkOn(date);
      expect([date, await tierOf(customer), await tierOf(other)]).toEqual([date, kept, dropped]);
    }
  });

  test("a check at the very date may drop the customer", async () => {
    const customer = await makeCustomer(service.deps);
    await place(customer, "Gold", at("2026-02-01T00:00:00Z"));
    await checkOn("2026-02-01");
    expect(await tierOf(customer)).toBe("Silver");
  });

  test("is shown in the explanation, and gone when a person places the customer elsewhere", async () => {
    const customer = await makeCustomer(service.deps);
    await place(customer, "Gold", at("2026-03-15T00:00:00Z"));
    const path = `${API}/point_balances/${customer.storefrontId}`;
    const shown = await service.client.get(`${path}/tier/explanation`);
    expect(shown.body.data).toMatchObject({ kept_tier: "Gold", kept_until: "2026-03-15T00:00:00.000000Z" });
    expect(shown.body.data.words).toContainEqual(expect.stringMatching(/^Checks before .* do not go below Gold\.$/));
    await service.client.post(`${path}/tiers`, { skip_next_check: false });
    expect((await storedOf(customer))?.keptUntil?.toString()).toBe("2026-03-15T00:00:00Z");
    await service.client.post(`${path}/tiers`, { tier: "Silver" });
    expect(await storedOf(customer)).toMatchObject({ keptTierUid: null, keptUntil: null });
  });

  test("is put back as it was by undoing", async () => {
    const customer = await makeCustomer(service.deps);
    await place(customer, "Silver", at("2026-03-15T00:00:00Z"));
    const before = await storedOf(customer);
    if (before === undefined) throw new Error("the customer was placed");
    await place(customer, "Gold", at("2026-06-01T00:00:00Z"));
    await service.deps.db.tx(async (tx) => {
      const { rules } = (await readProgram(tx)).tiers;
      const now = (await selectTiers(tx, [customer])).get(customer.customerUid) ?? before;
      const placement = { before: assignmentOf(rules, now), after: assignmentOf(rules, before) };
      const keepUntil = keptTierOf(before);
      const cause = { cause: "manual", actor: null } as const;
      await placeManyInTier(tx, service.deps, [{ customer, ...placement, keepUntil }], cause);
    });
    expect(await storedOf(customer)).toEqual(before);
  });

  test("goes with a merge, the higher one of both", async () => {
    const [kept, removed] = [await makeCustomer(service.deps), await makeCustomer(service.deps)];
    await place(kept, "Silver", at("2026-05-15T00:00:00Z"));
    await place(removed, "Gold", at("2026-03-15T00:00:00Z"));
    await mergeInto(service.deps, removed.storefrontId, kept.storefrontId);
    await checkOn("2026-02-01");
    expect(await tierOf(kept)).toBe("Gold");
    expect((await storedOf(kept))?.keptUntil?.toString()).toBe("2026-03-15T00:00:00Z");
  });

  test("goes with a merge, the later date of the same tier", async () => {
    const [kept, removed] = [await makeCustomer(service.deps), await makeCustomer(service.deps)];
    await place(kept, "Gold", at("2026-03-15T00:00:00Z"));
    await place(removed, "Gold", at("2026-06-15T00:00:00Z"));
    await mergeInto(service.deps, removed.storefrontId, kept.storefrontId);
    expect((await storedOf(kept))?.keptUntil?.toString()).toBe("2026-06-15T00:00:00Z");
  });
});

test("a skip from before a late check is used up by it, whatever was changed in between; one set after it is not", async () => {
  const [floored, other, later] = await Promise.all([1, 2, 3].map(() => makeCustomer(service.deps)));
  if (floored === undefined || other === undefined || later === undefined) throw new Error("three were made");
  const update = ({ storefrontId }: CustomerRow, body: object) =>
    service.client.post(`${API}/point_balances/${storefrontId}/tiers`, body);
  const absorbed = await makeCustomer(service.deps);
  for (const customer of [floored, other, later]) await place(customer, "Gold", undefined);
  for (const customer of [floored, other]) await update(customer, { skip_next_check: true });
  service.clock.set("2026-02-01T00:00:01Z");
  await mergeInto(service.deps, absorbed.storefrontId, other.storefrontId);
  await update(floored, { minimum_tier: "Silver" });
  await update(later, { skip_next_check: true });
  await evaluateTiers(service.deps);
  const found = async (customer: CustomerRow) => [await tierOf(customer), (await storedOf(customer))?.skipNextCheck];
  expect(await found(floored)).toEqual(["Gold", false]);
  expect(await found(other)).toEqual(["Gold", false]);
  expect(await found(later)).toEqual(["Silver", true]);
});

describe("money spent in another app", () => {
  test("counts in the window that holds its date, raises at the check, and is named by the explanation", async () => {
    const [customer, early] = [await makeCustomer(service.deps), await makeCustomer(service.deps)];
    await service.deps.db.tx((tx) =>
      addSpendBase(tx, [
        base(customer, 700n, "2026-01-03T00:00:00Z"),
        base(customer, 400n, "2026-01-31T23:59:59Z"),
        base(early, 9_000n, "2025-12-31T23:59:59Z"),
      ]),
    );
    const path = `${API}/point_balances/${customer.storefrontId}/tier/explanation`;
    const { data } = (await service.client.get(path)).body;
    expect([data.spent.raw_amount, data.spent_elsewhere.raw_amount, data.orders]).toEqual([1_100, 1_100, []]);
    await checkOn("2026-02-01");
    expect([await tierOf(customer), await tierOf(early)]).toEqual(["Silver", "Bronze"]);
  });

  test("more of the same date adds up; removed by its import it counts no more", async () => {
    const customer = await makeCustomer(service.deps);
    const write = (spent: bigint) =>
      service.deps.db.tx((tx) => addSpendBase(tx, [base(customer, spent, "2026-01-03T00:00:00Z")]));
    await write(600n);
    await write(300n);
    await checkOn("2026-02-01");
    expect(await tierOf(customer)).toBe("Bronze");
    service.clock.set(START);
    await service.owner.execute("delete from designation");
    await write(100n);
    const remove = () =>
      service.deps.db.tx(async (tx) => (await removeSpendBase(tx, { importUid: IMPORT, limit: 1 })).length);
    expect([await remove(), await remove()]).toEqual([1, 0]);
    await checkOn("2026-02-01");
    expect(await tierOf(customer)).toBe("Bronze");
  });

  test("counts in what the checks since a time would have given, but not where its import is left out", async () => {
    const customer = await makeCustomer(service.deps);
    await service.deps.db.tx((tx) => addSpendBase(tx, [base(customer, 2_000n, "2026-01-20T00:00:00Z")]));
    await checkOn("2026-02-01");
    const since = { since: at(START), now: service.clock.now() };
    const earned = async (without: readonly string[]) => {
      const standings = [{ customer, stored: NEVER_PLACED }];
      const found = await service.deps.db.tx((tx) => readEarnedSince(tx, standings, { ...since, without }));
      return found.get(customer.customerUid);
    };
    const { rules } = (await readProgram(service.deps.db)).tiers;
    expect([await earned([]), await earned([IMPORT])]).toEqual([rules[2]?.uid, null]);
  });

  test("goes with a merge and adds up", async () => {
    const [kept, removed] = [await makeCustomer(service.deps), await makeCustomer(service.deps)];
    await service.deps.db.tx((tx) =>
      addSpendBase(tx, [base(kept, 600n, "2026-01-03T00:00:00Z"), base(removed, 500n, "2026-01-03T00:00:00Z")]),
    );
    await mergeInto(service.deps, removed.storefrontId, kept.storefrontId);
    expect(await tierOf(kept)).toBe("Silver");
    await checkOn("2026-02-01");
    expect(await tierOf(kept)).toBe("Silver");
  });
});
