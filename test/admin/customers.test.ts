import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ListedCustomerRow, TimelineEntry } from "../../src/admin/customers/schema.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
let support: AdminClient;

const PEOPLE = [
  { storefrontId: "4100000000001", email: "Taro.Yamada@example.com", name: "山田 太郎" },
  { storefrontId: "4100000000002", email: "hanako@example.jp", name: "山田花子" },
  { storefrontId: "4100000000003", email: "mori@example.jp", name: "森 愛" },
  { storefrontId: "4100000000004", email: null, name: "ヤマダ ジロウ" },
  { storefrontId: "4200000000005", email: "anna.lindqvist@example.com", name: "Anna Lindqvist" },
  { storefrontId: "4200000000006", email: "o'brien@example.com", name: "Ｏ’Ｂｒｉｅｎ" },
  { storefrontId: "gid_7", email: "100%_real@example.com", name: "100% Real\\Name" },
];

beforeAll(async () => {
  const rules = [
    { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
    { name: "Silver", default: false, currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
  ];
  service = await startTestService({ worker: false, program: { tiers: { rules } } });
  for (const person of PEOPLE) {
    service.clock.advance({ seconds: 1 });
    await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, person));
  }
  viewer = await signIn(service, "viewer");
  support = await signIn(service, "support");
});
afterAll(() => service.stop());

async function found(q: string): Promise<string[]> {
  const answer = await viewer.get(`/customers?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  const rows: ListedCustomerRow[] = answer.body.data;
  return rows.map(({ name, id }) => name ?? id);
}

describe("searching customers", () => {
  test.each([
    ["山田", ["山田 太郎", "山田花子"]],
    ["田花", ["山田花子"]],
    ["山田太郎", ["山田 太郎"]],
    ["太郎 山田", ["山田 太郎"]],
    ["森", ["森 愛"]],
    ["愛", ["森 愛"]],
    ["やまだ", ["ヤマダ ジロウ"]],
    ["ﾔﾏ", ["ヤマダ ジロウ"]],
    ["ジロ", ["ヤマダ ジロウ"]],
    ["田", []],
  ])("%s by name, in Japanese, however few the characters", async (typed, names) => {
    expect((await found(typed)).sort()).toEqual(names.toSorted());
  });

  test.each([
    ["an", ["Anna Lindqvist", "山田花子"]],
    ["ANNA L", ["Anna Lindqvist"]],
    ["lind", ["Anna Lindqvist"]],
    ["o’brien", ["Ｏ’Ｂｒｉｅｎ"]],
    ["brien", ["Ｏ’Ｂｒｉｅｎ"]],
    ["100%", ["100% Real\\Name"]],
    ["%", []],
    ["_", []],
    ["real\\na", ["100% Real\\Name"]],
    ["taro", ["山田 太郎"]],
    ["yamada", ["山田 太郎"]],
    ["TARO.YAMADA@EX", ["山田 太郎"]],
    ["42000000", ["Anna Lindqvist", "Ｏ’Ｂｒｉｅｎ"]],
    ["４２００００００００００５", ["Anna Lindqvist"]],
    ["gid_", ["100% Real\\Name"]],
    ["zz", []],
  ])("%s by name, e-mail or id, in any case and width", async (typed, names) => {
    expect((await found(typed)).sort()).toEqual(names.toSorted());
  });

  test("the equal one comes first, then what begins so, then what has it inside", async () => {
    const make = (storefrontId: string, name: string) =>
      service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId, name }));
    await make("r1", "Bo Ken");
    await make("r2", "Kenji");
    await make("r3", "Ken");
    await make("ken", "Somebody");
    expect(await found("ken")).toEqual(["Somebody", "Ken", "Kenji", "Bo Ken"]);
  });

  test("a changed name is found, the old one no more", async () => {
    const rename = (name: string) =>
      service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: "renamed", name }));
    await rename("西園寺");
    expect(await found("西園")).toEqual(["西園寺"]);
    await rename("綾小路");
    expect(await found("西園")).toEqual([]);
    expect(await found("小路")).toEqual(["綾小路"]);
  });

  test("what is no text finds nobody", async () => {
    expect((await viewer.get("/customers?q=%00")).status).toBe(422);
    expect(await found(" ・ ")).toEqual([]);
    expect((await viewer.get(`/customers?q=${"x".repeat(201)}`)).status).toBe(422);
  });
});

describe("the list of customers", () => {
  test("goes page by page, newest first, each once", async () => {
    for (let i = 0; i < 120; i++) {
      await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: `many-${i}` }));
    }
    const seen: string[] = [];
    for (let after = ""; ; ) {
      const { body } = await viewer.get(`/customers${after === "" ? "" : `?after=${after}`}`);
      seen.push(...body.data.map(({ uid }: ListedCustomerRow) => uid));
      if (body.next === null) break;
      after = body.next;
    }
    const all = await service.deps.db.query<{ uid: string }>("select customer_uid as uid from customer");
    expect(new Set(seen)).toEqual(new Set(all.map(({ uid }) => uid)));
    expect(seen.length).toBe(all.length);
    expect((await viewer.get("/customers?after=x")).body.errors[0].source.parameter).toBe("after");
  });

  test("by points, with tier, expiry and last activity", async () => {
    for (const [id, value] of Object.entries({ "4100000000001": 300, "4100000000002": 700 })) {
      await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: value });
    }
    const { body } = await viewer.get("/customers?sort=points");
    expect(body.data.map(({ points }: ListedCustomerRow) => points)).toEqual([700, 300]);
    expect(body.data[0]).toMatchObject({ name: "山田花子", tier: "Bronze", last_activity_at: expect.any(String) });
    expect(body.data[0].expires_at).toMatch(/^2027-03-/);
  });
});

describe("a customer's page", () => {
  test("tells balance, tier and what expires when in one answer", async () => {
    const { body } = await viewer.get("/customers/4100000000001");
    expect(body.data).toMatchObject({
      id: "4100000000001",
      name: "山田 太郎",
      balance: { available: 300, held: 0, owed: 0, delay_months: 12 },
      expiries: [{ points: 300 }],
      tier: { name: "Bronze", skip_next_check: false, to_keep: 0 },
      merged: [],
      waiting: [],
    });
    expect(body.data.tier.tiers).toMatchObject([{ remaining: 0 }, { name: "Silver", remaining: 50_000 }]);
    expect((await viewer.get("/customers/HANAKO@example.jp")).body.data.id).toBe("4100000000002");
    expect((await viewer.get("/customers/nobody")).status).toBe(404);
  });

  test("tells why, in the language of the reader", async () => {
    const why = await viewer.get("/customers/4100000000001/explanation?language=ja");
    expect(why.body.data).toMatchObject({
      ...{ available: 300, opening: 0, ledger_points: 300 },
      lines: [{ kind: "other", count: 1, given: 300, taken: 0 }],
    });
    expect(why.body.data.words.join("")).toContain("300");
    const [row]: TimelineEntry[] = (await viewer.get("/customers/4100000000001/ledger")).body.data;
    const one = await viewer.get(`/customers/4100000000001/ledger/${row?.uid}/explanation?language=en`);
    expect(one.body.data.words[0]).toContain("+300");
  });

  test("the tier, the floor and the next check are set by hand, and recorded", async () => {
    const path = "/customers/4100000000003/tier";
    expect((await viewer.put(path, { tier: "Silver" })).status).toBe(403);
    const placed = await support.put(path, { tier: "Silver", minimum_tier: "Bronze", skip_next_check: true });
    expect(placed.body.data).toEqual({ tier: "Silver", minimum_tier: "Bronze", skip_next_check: true });
    const { tiers } = (await viewer.get("/customers")).body;
    const membersOf = async (name: string) => {
      const { uid } = tiers.find((tier: { name: string }) => tier.name === name);
      const rows: ListedCustomerRow[] = (await viewer.get(`/customers?tier=${uid}`)).body.data;
      return rows.map(({ id, tier }) => [id, tier]);
    };
    expect(await membersOf("Silver")).toEqual([["4100000000003", "Silver"]]);
    const bronze = await membersOf("Bronze");
    expect(bronze.every(([id, tier]) => id !== "4100000000003" && tier === "Bronze")).toBe(true);
    expect(bronze.length).toBe(50);
    const wrong = await support.put(path, { tier: "Gold" });
    expect(wrong.status).toBe(422);
    expect(wrong.body.errors[0].source.pointer).toBe("/tier");
    const changes = await viewer.get("/customers/4100000000003/tier-changes");
    expect(changes.body.data).toMatchObject(
      [{ from: "Bronze", to: "Silver", cause: "manual", actor: /support/ }].map((row) => ({
        ...row,
        actor: expect.stringMatching(row.actor),
      })),
    );
    const entries = await service.deps.db.query(
      "select before, after, actor_kind as kind from audit_entry where action = 'tier.placed'",
    );
    expect(entries).toEqual([
      {
        before: { tier: "Bronze", minimum_tier: null, skip_next_check: false },
        after: { tier: "Silver", minimum_tier: "Bronze", skip_next_check: true },
        kind: "staff",
      },
    ]);
  });

  test("a merged customer's id leads to the surviving one, whose page has the other's ledger too", async () => {
    const make = (storefrontId: string) =>
      service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId, name: storefrontId }));
    const { customer: removed } = await make("gone-1");
    await make("kept-1");
    await service.client.post("/api/storefront/point_allotments", { customer_id: "gone-1", point_value: 40 });
    await mergeInto(service.deps, "gone-1", "kept-1");
    const { body } = await viewer.get("/customers/gone-1");
    expect(body.data).toMatchObject({ id: "kept-1", balance: { available: 40 }, merged: [{ id: "gone-1" }] });
    expect(await found("gone-1")).toEqual(["kept-1"]);
    const path = `/customers/kept-1/ledger?balance=${removed.customerUid}`;
    expect((await viewer.get(path)).body.data.map((row: TimelineEntry) => row.point_value)).toEqual([-40, 40]);
    const other = await viewer.get(`/customers/gid_7/ledger?balance=${removed.customerUid}`);
    expect(other.status).toBe(422);
  });
});

describe("a list that looks at every customer", () => {
  test.each(["points", "default tier"])("by %s gives up after 3 seconds and says so", async (by) => {
    const { tiers } = (await viewer.get("/customers")).body;
    const query = by === "points" ? "sort=points" : `tier=${tiers[0].uid}`;
    const answer = await service.deps.db.tx(async (tx) => {
      await tx.execute("lock table balance in access exclusive mode");
      return viewer.get(`/customers?${query}`);
    });
    expect([answer.status, answer.body.errors[0].title]).toEqual([503, "Service unavailable"]);
    expect((await viewer.get(`/customers?${query}`)).status).toBe(200);
  });
});
