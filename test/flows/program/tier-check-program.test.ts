import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { previewLines } from "../../../src/commands/preview-lines.ts";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import type { Tx } from "../../../src/db/pool.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { changeProgram } from "../../../src/tiers/change-program.ts";
import { evaluateTiers } from "../../../src/tiers/evaluate-tiers.ts";
import { behind } from "../../support/behind.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

type Rule = Record<string, unknown> & { readonly name: string };

const rule = (name: string, requirement: number): Rule => ({
  name,
  currency_spent_requirement: requirement,
  point_value: 1,
  currency_value: 100,
});
const BRONZE = rule("Bronze", 0);
const SILVER = rule("Silver", 1_000);
const GOLD = rule("Gold", 5_000);

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: "2026-02-10T00:00:00Z",
    program: {
      store: { currency: "JPY", time_zone: "UTC" },
      tiers: { period_months: 1, window_months: 1, rules: [BRONZE, SILVER, GOLD] },
    },
  });
});
afterAll(() => service.stop());

let orders = 0;

/** A customer who spent so much in the middle of January, 26 days ago, and at the start of February. */
async function member(
  spends: { january?: number; february?: number },
  tier?: string,
  more: object = {},
): Promise<string> {
  const { storefrontId, bucket, customerUid } = await makeCustomer(service.deps);
  const rows = [
    ["2026-01-15T00:00:00Z", spends.january],
    ["2026-02-03T00:00:00Z", spends.february],
  ] as const;
  for (const [at, minor] of rows) {
    if (minor === undefined) continue;
    await service.deps.db.execute(
      "insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor) values ($1, $2, $3, $4, $5)",
      [`change-${++orders}`, bucket, customerUid, at, minor],
    );
  }
  if (tier !== undefined) {
    const path = `/api/storefront/point_balances/${storefrontId}/tiers`;
    expect((await service.client.post(path, { tier, ...more })).status).toBe(200);
  }
  return storefrontId;
}

async function tierOf(id: string): Promise<string> {
  return (await service.client.get(`/api/storefront/point_balances/${id}/tier`)).body.data.tier;
}

async function lastChange(id: string) {
  return (await service.client.get(`/api/storefront/point_balances/${id}/tier_changes`)).body.data[0];
}

function change(rules: readonly Rule[], how: { isDryRun?: boolean; isNow?: boolean } = {}) {
  const document = { tiers: { rules } };
  return changeProgram(service.deps, { document, author: "Manami", isDryRun: false, isNow: false, ...how });
}

async function clean(rules: readonly Rule[]): Promise<void> {
  for (const table of ["customer_tier", "tier_change", "order_spend", "customer", "customer_alias", "designation"]) {
    await service.owner.execute(`delete from ${table}`);
  }
  await change(rules);
}

describe("a change of tier rules", () => {
  test("moves nobody by itself, and a dry run tells who would move", async () => {
    await clean([BRONZE, SILVER, GOLD]);
    const ids = {
      up: await member({ february: 4_000 }, "Silver"),
      same: await member({ february: 1_500 }, "Silver"),
      missesAnyway: await member({}, "Silver"),
      plain: await member({}),
    };
    const cheaper = [BRONZE, SILVER, rule("Gold", 4_000)];
    const { preview, version } = await change(cheaper, { isDryRun: true });
    expect(preview?.tiers).toEqual([
      { name: "Bronze", present: 1, now: 1, atCheck: 2 },
      { name: "Silver", present: 3, now: 3, atCheck: 1 },
      { name: "Gold", present: 0, now: 0, atCheck: 1 },
    ]);
    expect(preview?.now.count).toBe(0);
    const movers = preview?.atCheck.first.map((mover) => [
      preview.storefrontIds.get(mover.customerUid),
      mover.from,
      mover.to,
    ]);
    expect(movers).toEqual([[ids.up, "Silver", "Gold"]]);

    expect((await change(cheaper)).version).toBe(version);
    expect(await evaluateTiers(service.deps)).toBe(0);
    expect(await tierOf(ids.up)).toBe("Silver");
  });

  test("places at once, where asked for, those whom the new rules put elsewhere, and nobody else", async () => {
    await clean([BRONZE, SILVER, GOLD]);
    const ids = {
      up: await member({ january: 4_000 }, "Silver"),
      fromDefault: await member({ february: 4_500 }),
      down: await member({ february: 1_500 }, "Silver"),
      held: await member({ february: 1_500 }, "Silver", { minimum_tier: "Silver" }),
      skipping: await member({ february: 1_500 }, "Silver", { skip_next_check: true }),
      missesAnyway: await member({}, "Gold"),
    };
    const rules = [BRONZE, rule("Silver", 2_000), rule("Gold", 4_000)];
    const dry = await change(rules, { isDryRun: true, isNow: true });
    expect(dry.preview?.now.count).toBe(3);
    const { moved } = await change(rules, { isNow: true });
    expect(moved).toBe(3);
    expect(await Promise.all(Object.values(ids).map(tierOf))).toEqual([
      "Gold",
      "Gold",
      "Bronze",
      "Silver",
      "Silver",
      "Gold",
    ]);
    expect(await lastChange(ids.up)).toMatchObject({
      cause: "program",
      actor: "Manami",
      from: "Silver",
      to: "Gold",
      spend: { raw_amount: 4_000 },
      check_at: null,
    });
    expect(await evaluateTiers(service.deps)).toBe(0);
  });

  test("moves the members of a deleted tier to the one they match, not below their floor", async () => {
    await clean([BRONZE, SILVER, GOLD, rule("Platinum", 9_000)]);
    const ids = {
      matches: await member({ february: 1_500 }, "Gold"),
      nothing: await member({}, "Gold"),
      floor: await member({}, "Gold", { minimum_tier: "Silver" }),
      other: await member({}, "Platinum"),
    };
    const { tiers, now } = (await change([BRONZE, SILVER, rule("Platinum", 9_000)], { isDryRun: true })).preview ?? {};
    expect(tiers?.map((row) => [row.name, row.present, row.now])).toEqual([
      ["Bronze", 0, 1],
      ["Silver", 0, 2],
      ["Platinum", 1, 1],
      ["Gold", 3, 0],
    ]);
    expect(now?.count).toBe(3);
    expect((await change([BRONZE, SILVER, rule("Platinum", 9_000)])).moved).toBe(3);
    expect(await Promise.all(Object.values(ids).map(tierOf))).toEqual(["Silver", "Bronze", "Silver", "Platinum"]);
    expect(await lastChange(ids.matches)).toMatchObject({ cause: "program", from: "Gold", to: "Silver" });
  });

  test("that is asked for is finished by a worker where the command dies after its version was kept", async () => {
    await clean([BRONZE, SILVER, GOLD]);
    const id = await member({}, "Gold");
    const { db } = service.deps;
    let transactions = 0;
    const dying: TestService["deps"]["db"] = {
      ...db,
      // one looks at what changes, one keeps the version
      tx: (work) => (++transactions <= 2 ? db.tx(work) : Promise.reject(new Error("killed"))),
    };
    const input = { document: { tiers: { rules: [BRONZE, SILVER] } }, author: "x", isDryRun: false, isNow: false };
    await expect(changeProgram({ ...service.deps, db: dying }, input)).rejects.toThrow("killed");
    expect(await evaluateTiers(service.deps)).toBe(1);
    expect(await tierOf(id)).toBe("Bronze");
  });

  test("is shown by the command as a table and a list of at most 100", async () => {
    await clean([BRONZE, SILVER, GOLD]);
    for (let i = 0; i < 103; i++) await member({ february: 4_000 }, "Silver");
    const { preview } = await change([BRONZE, SILVER, rule("Gold", 4_000)], { isDryRun: true, isNow: true });
    if (preview === null) throw new Error("there is a preview");
    const lines = previewLines(preview);
    expect(lines.slice(0, 5)).toEqual([
      "tier    customers  after this  next check 2026-03-01T00:00:00Z, by the spend so far",
      "Bronze  0          0           0",
      "Silver  103        0           0",
      "Gold    0          103         103",
      "103 customers would move at once:",
    ]);
    expect(lines).toHaveLength(5 + 100 + 1 + 1);
    expect(lines.at(-2)).toBe("  and 3 more");
    expect(lines[5]).toMatch(/^ {2}\d+ {2}Silver -> Gold {2}spent 4000$/);
  });
});

describe("who was deleted", () => {
  const remove = (tx: Tx, id: string) => deleteCustomer(tx, service.deps, id, "test");
  const removeNow = (id: string) => service.deps.db.tx((tx) => remove(tx, id));
  const tiersOfGone = () =>
    service.deps.db.query("select * from customer_tier natural join customer where deleted_at is not null ");

  test("is counted by no preview and moved by no change of rules", async () => {
    await clean([BRONZE, SILVER, GOLD]);
    for (const tier of ["Silver", "Gold"]) {
      await member({ february: 4_500 }, tier);
      await removeNow(await member({ february: 4_500 }, tier));
    }
    const rules = [BRONZE, rule("Silver", 4_000)];
    const { preview } = await change(rules, { isDryRun: true, isNow: true });
    expect(preview?.tiers.map(({ present }) => present)).toEqual([0, 1, 1]);
    expect(preview?.now.count).toBe(1);
    expect((await change(rules, { isNow: true })).moved).toBe(1);
  });

  test("or merged into somebody deleted, before a check or under it, is not moved by it", async () => {
    await clean([BRONZE, SILVER, GOLD]);
    const [live, late, kept] = [await member({}, "Gold"), await member({}, "Gold"), await member({}, "Gold")];
    const gone = [await member({}, "Gold"), await member({ february: 6_000 })];
    gone.push(await member({}, "Gold", { skip_next_check: true }));
    for (const id of [...gone, kept]) await removeNow(id);
    for (const id of [await member({}, "Gold"), await member({ february: 6_000 })])
      await mergeInto(service.deps, id, kept);
    const before = await tiersOfGone();
    expect(before).toHaveLength(4);
    service.clock.set("2026-03-01T00:00:00Z");
    const check = () => evaluateTiers(service.deps);
    expect(await behind(service.deps.db, (tx) => remove(tx, late), check)).toBe(1);
    expect(await lastChange(live)).toMatchObject({ cause: "check", to: "Silver" });
    expect(await service.deps.db.query("select from tier_change where cause = 'check'")).toHaveLength(1);
    expect(await tiersOfGone()).toEqual(expect.arrayContaining(before));
  });
});

test("a merge before a late check judges it by the rules of the check's time, whatever they became since", async () => {
  service.clock.set("2026-05-10T00:00:00Z");
  await clean([BRONZE, SILVER, GOLD]);
  await evaluateTiers(service.deps);
  service.clock.set("2026-06-01T00:00:30Z");
  const mergedWith = async (spent: number) => {
    const [removed, kept] = [await member({}, "Silver"), await member({})];
    await service.deps.db.execute(
      `insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor)
      select 'late-' || storefront_id, bucket, customer_uid, '2026-05-20', $2
      from customer
      where storefront_id = $1`,
      [kept, spent],
    );
    await mergeInto(service.deps, removed, kept);
    return kept;
  };
  const apply = (rules: readonly Rule[]) =>
    applyProgram(service.deps, { document: { tiers: { rules } }, author: "Manami", isDryRun: false });
  await apply([BRONZE, rule("Silver", 500), rule("Gold", 1_000)]);
  const silver = await mergedWith(1_500);
  await apply([BRONZE, rule("Silver", 4_000), rule("Gold", 8_000)]);
  const gold = await mergedWith(6_000);
  await evaluateTiers(service.deps);
  expect([await tierOf(silver), await tierOf(gold)]).toEqual(["Silver", "Gold"]);
});
