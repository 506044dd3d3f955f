import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { previewExpiries } from "../../src/admin/program/preview-expiries.ts";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { readExpiries } from "../../src/points/balances/read-expiries.ts";
import { readProgram } from "../../src/program/read-program.ts";
import { previewTiers } from "../../src/tiers/preview-tiers.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

const tier = (name: string, requirement: number, more: object = {}) => ({
  name,
  currency_spent_requirement: requirement,
  point_value: 1,
  currency_value: 100,
  ...more,
});
const TIERS = [tier("Bronze", 0), tier("Silver", 1_000, { point_value: 2 }), tier("Gold", 5_000, { point_value: 3 })];

let service: TestService;
let manager: AdminClient;

beforeAll(async () => {
  service = await startTestService({
    worker: false,
    now: "2026-01-10T00:00:00Z",
    program: {
      store: { name: "Tea", currency: "JPY", time_zone: "UTC" },
      tiers: { period_months: 1, window_months: 2, rules: TIERS },
      expiration: { delay_months: 12, mode: "per_allotment" },
    },
  });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

const read = async () => (await manager.get("/program")).body.data;
const send = async (path: string, document: unknown, more: object = {}) =>
  manager.post(path, { document, base_version: (await read()).version, ...more });
const preview = (document: unknown, more: object = {}) => send("/program/preview", document, more);
const apply = (document: unknown, more: object = {}) => send("/program", document, more);

async function member(spent: number): Promise<string> {
  const { storefrontId, bucket, customerUid } = await makeCustomer(service.deps);
  await service.deps.db.execute(
    "insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor) values ($1, $2, $3, $4, $5)",
    [`spend-${storefrontId}`, bucket, customerUid, service.clock.now().subtract({ hours: 24 }), spent],
  );
  return storefrontId;
}

async function tierOf(id: string): Promise<string> {
  return (await service.client.get(`/api/storefront/point_balances/${id}/tier`)).body.data.tier;
}

/** Everything that a change may write. */
async function written(): Promise<unknown> {
  const tables = ["program_version", "designation", "customer_tier", "tier_change", "balance", "lot", "allotment"];
  const rows = tables.map((name) =>
    service.deps.db.query(`select '${name}' as of, t::text as row from ${name} t order by 2`),
  );
  return (await Promise.all(rows)).flat();
}

describe("reading", () => {
  test("whoever may look sees the document, its defaults and the tiers' customers", async () => {
    const viewer = await signIn(service, "viewer");
    const { body } = await viewer.get("/program");
    expect(body.data).toMatchObject({
      author: "test",
      document: { store: { name: "Tea" }, tiers: { window_months: 2 }, staff: { approval_limit: null } },
      defaults: { store: { name: "My store" }, tiers: { window_months: 12, rules: [] } },
      now: "2026-01-10T00:00:00.000000Z",
      next_check_at: "2026-02-01T00:00:00.000000Z",
    });
    const [id, gone] = [await member(0), await member(0)];
    for (const each of [id, gone])
      await service.client.post(`/api/storefront/point_balances/${each}/tiers`, { tier: "Gold" });
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, gone, "test"));
    await member(0);
    const uids = body.data.document.tiers.rules.map((rule: { uid: string }) => rule.uid);
    const { data } = (await viewer.get("/program/tier-members")).body;
    expect(data.map((row: { uid: string; customers: number }) => [uids.indexOf(row.uid), row.customers])).toEqual([
      [0, 1],
      [1, 0],
      [2, 1],
    ]);
  });

  test("only managers and owners may try or apply a change", async () => {
    const body = { document: { rewards: { signup: 5 } }, base_version: (await read()).version };
    for (const role of ["viewer", "support"] as const) {
      const person = await signIn(service, role);
      expect((await person.post("/program/preview", body)).status).toBe(403);
      expect((await person.post("/program", body)).status).toBe(403);
      expect((await person.get("/program/versions")).status).toBe(200);
    }
    expect((await read()).document.rewards.signup).toBe(0);
  });
});

describe("a look before it is applied", () => {
  test("writes nothing", async () => {
    await member(9_000);
    const before = await written();
    const rules = [TIERS[0], tier("Silver", 50)];
    const answer = await preview({ tiers: { rules }, expiration: { delay_months: 1 } }, { apply_now: true });
    expect(answer.status).toBe(200);
    expect(answer.body.data.tiers.now.count).toBeGreaterThan(0);
    expect(await written()).toEqual(before);
  });

  test("tells every fault by its pointer, also when it is applied", async () => {
    const time = { starts_at: "2026-07-01", ends_at: "2026-07-31", point_value: 2 };
    const faulty = {
      store: { currency: "yen" },
      campaigns: [
        { name: "Summer", ...time },
        { name: "Sea", ...time },
      ],
      rewards: { signup: -1 },
    };
    for (const path of ["/program/preview", "/program"]) {
      const { status, body } = await send(path, faulty);
      expect(status).toBe(422);
      expect(body.errors.map((error: { source: { pointer: string } }) => error.source.pointer)).toEqual([
        "/store/currency",
        "/campaigns/1/starts_at",
        "/rewards/signup",
      ]);
      expect(body.errors[1].detail).toContain('"Sea" not to overlap campaign "Summer"');
    }
  });

  test("names those who move now, and they and no others do", async () => {
    const spends = [0, 400, 700, 1_500, 4_000, 6_000];
    const ids = await Promise.all(spends.map(member));
    const rules = [TIERS[0], tier("Silver", 500), tier("Gold", 4_000)];
    const { tiers } = (await preview({ tiers: { rules } }, { apply_now: true })).body.data;
    expect(tiers.share).toBe(1);
    const foretold = new Map<string, string>(
      tiers.now.first.map((mover: { storefront_id: string; to: string }) => [mover.storefront_id, mover.to]),
    );
    const before = await Promise.all(ids.map(tierOf));
    const applied = await apply({ tiers: { rules } }, { apply_now: true });
    expect(applied.body.data.moved).toBe(tiers.now.count);
    const after = await Promise.all(ids.map(tierOf));
    expect(after).toEqual(ids.map((id, index) => foretold.get(id) ?? before[index]));
    expect(after).toEqual(["Bronze", "Bronze", "Silver", "Bronze", "Gold", "Bronze"]);
    await apply({ tiers: { rules: TIERS } });
  });

  test("tells which points expire when, as they then do", async () => {
    const customers = await Promise.all(Array.from({ length: 12 }, () => makeCustomer(service.deps)));
    for (const [step, days] of [0, 20, 45, 30, 10].entries()) {
      service.clock.set(service.clock.now().add({ hours: 24 * days }));
      for (const [index, { storefrontId }] of customers.entries()) {
        if ((index + step) % 3 === 0) continue;
        const body = { customer_id: storefrontId, point_value: 10 * (index + 1) + step };
        expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
      }
    }
    manager = await signIn(service, "manager"); // the first session ended on the way
    const document = { expiration: { delay_months: 2 } };
    const { expiries } = (await preview(document)).body.data;
    const upcoming = async () =>
      (await Promise.all(customers.map((customer) => readExpiries(service.deps, customer)))).flat();
    const before = await upcoming();
    await apply(document);
    const after = await upcoming();
    const byMonth = (list: typeof before, month: string) =>
      list
        .filter(({ expiresAt }) => expiresAt.toString().startsWith(month))
        .reduce((sum, { points }) => sum + Number(points), 0);
    for (const { month, ...counted } of expiries.months) {
      expect([month, counted]).toEqual([month, { before: byMonth(before, month), after: byMonth(after, month) }]);
    }
    const graceEnds = service.clock.now().add({ hours: 24 * 30 });
    const total = (list: typeof before) => list.reduce((sum, { points }) => sum + Number(points), 0);
    expect(expiries.earlier).toEqual({ points: total(before), balances: 12 });
    expect(expiries.later).toEqual({ points: 0, balances: 0 });
    expect(expiries.at_once.points).toBe(0);
    const soon = total(after.filter(({ expiresAt }) => expiresAt.equals(graceEnds)));
    expect(expiries.graced.points).toBeGreaterThan(0);
    expect(expiries.graced.points).toBeLessThanOrEqual(soon);
    expect(total(after)).toBe(total(before));

    const back = (await preview({ expiration: { delay_months: null } })).body.data.expiries;
    expect(back.later).toEqual({ points: total(after), balances: 12 });
    expect(back.months.every((month: { after: number }) => month.after === 0)).toBe(true);
  });

  test("says of what part of the customers it tells, where it stopped looking", async () => {
    const { deps } = service;
    const program = await readProgram(deps.db);
    const before = { ...program.expiration, timeZone: program.store.timeZone };
    const dates = { before, after: { ...before, delayMonths: 60 }, now: service.clock.now() };
    let asked = 0;
    const isOver = () => ++asked === 2;
    const effect = await deps.db.snapshot((tx) => previewExpiries(tx, dates, isOver));
    // 1 bucket and 2, by then it was asked twice
    const [lots] = await deps.db.query<{ points: bigint | null }>(
      "select sum(remaining)::bigint as points from lot where bucket < 3",
    );
    expect([effect.share, effect.later.points]).toEqual([3 / 256, lots?.points ?? 0n]);
    const transition = { before: program, after: program };
    const tiers = await deps.db.snapshot((tx) =>
      previewTiers(tx, deps, transition, { isNow: true, isOver: () => true }),
    );
    const customers = (await deps.db.query("select from customer")).length;
    const counted = tiers.tiers.reduce((sum, { present }) => sum + present, 0);
    expect(tiers.share).toBe(4 / 256);
    expect(counted).toBeLessThan(customers);
  });

  test("shows what orders earn before and after, also in a campaign to come", async () => {
    const document = {
      earning: { rounding: "down" },
      campaigns: [
        { name: "Summer", starts_at: "2027-07-01", ends_at: "2027-07-31", point_value: 5, currency_value: 100 },
      ],
    };
    const { orders, expiries, tiers, currency } = (await preview(document)).body.data;
    expect([expiries, tiers, currency]).toEqual([null, null, "JPY"]);
    const bronze = orders.filter((order: { tier: string }) => order.tier === "Bronze");
    expect(bronze).toMatchObject([
      { campaign: null, amount: 3_480, before: 35, after: 34 },
      { campaign: null, amount: 12_000, before: 120, after: 120 },
      { at: "2027-07-01T00:00:00.000000Z", campaign: "Summer", amount: 3_480, before: 35, after: 174 },
      { campaign: "Summer", amount: 12_000, before: 120, after: 600 },
    ]);
  });
});

describe("versions", () => {
  test("are written in the name of who applied them, and one made from an older version is refused", async () => {
    const base_version = (await read()).version;
    const first = await manager.post("/program", { document: { rewards: { signup: 10 } }, base_version });
    expect(first.body.data).toMatchObject({ version: base_version + 1, moved: 0 });
    for (const path of ["/program", "/program/preview"]) {
      const late = await manager.post(path, { document: { rewards: { birthday: 10 } }, base_version });
      expect(late.status).toBe(409);
      expect(late.body.errors[0]).toMatchObject({ source: { pointer: "/base_version" } });
      expect(late.body.errors[0].detail).toContain(`${base_version + 1}, which ${(await read()).author}`);
    }
    expect((await read()).document.rewards).toMatchObject({ signup: 10, birthday: 0 });
    expect((await read()).author).toMatch(/^manager /);
  });

  test("of two made at once from the same, one is kept", async () => {
    const base_version = (await read()).version;
    const send2 = (signup: number) => manager.post("/program", { document: { rewards: { signup } }, base_version });
    const answers = await Promise.all([send2(21), send2(22)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await read()).version).toBe(base_version + 1);
  });

  test("are gone back to by applying an old one's document, tiers with their uids", async () => {
    const { version: old, document } = await read();
    await apply({ tiers: { rules: [TIERS[0], tier("Platinum", 80_000)] }, rewards: { birthday: 77 } });
    await apply({ store: { name: "Other" } });
    const kept = (await manager.get(`/program/versions/${old}`)).body.data;
    expect(kept.document).toEqual(document);
    const { status } = await apply(kept.document);
    expect(status).toBe(200);
    const now = await read();
    expect([now.version, now.document]).toEqual([old + 3, document]);
    const listed = (await manager.get("/program/versions")).body;
    expect(listed.data[0]).toMatchObject({ version: old + 3, before: { store: { name: "Other" } } });
    expect((await manager.get("/program/versions/99999")).status).toBe(404);
  });

  test("are listed to the first, page by page", async () => {
    for (let signup = 100; signup < 125; signup++) await apply({ rewards: { signup } });
    const seen: number[] = [];
    for (let next: string | null = ""; next !== null; ) {
      const { body } = await manager.get(`/program/versions${next === "" ? "" : `?after=${next}`}`);
      seen.push(...body.data.map((row: { version: number }) => row.version));
      next = body.next;
    }
    expect(seen).toEqual(Array.from({ length: (await read()).version }, (_, index) => seen.length - index));
  });
});
