import { afterAll, beforeAll, expect, test } from "vitest";
import type { ListedCustomerRow } from "../../src/admin/customers/schema.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { upsertCustomers } from "../../src/customers/upsert-customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let service: TestService;
let viewer: AdminClient;
let support: AdminClient;

const PEOPLE = [
  { storefrontId: "a1", name: "Søren Ørsted" },
  { storefrontId: "a2", name: "Eva Nyström", email: "eva@met.example" },
  { storefrontId: "a3", name: "Nguyễn Thị Mai" },
  { storefrontId: "a4", name: "Jan Groß", email: "jan.fra@met.example" },
  { storefrontId: "a5", name: "Mia Muller" },
  { storefrontId: "a6", name: "がじょう" },
  { storefrontId: "a7", name: "東海林 望", nameReading: "ショウジ ノゾミ" },
  { storefrontId: "a8", name: "小路 遥", nameReading: "しょうじ はるか" },
];

async function make(storefrontId: string, name: string, email: string): Promise<void> {
  await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId, name, email }));
}

beforeAll(async () => {
  const rules = [
    { name: "Bronze", default: true, currency_spent_requirement: 0, point_value: 1, currency_value: 100 },
    { name: "Silver", default: false, currency_spent_requirement: 50_000, point_value: 2, currency_value: 100 },
  ];
  service = await startTestService({ worker: false, program: { tiers: { rules } } });
  for (const person of PEOPLE) await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, person));
  viewer = await signIn(service, "viewer");
  support = await signIn(service, "support");
});
afterAll(() => service?.stop());

async function found(q: string): Promise<string[]> {
  const answer = await viewer.get(`/customers?q=${encodeURIComponent(q)}`);
  expect(answer.status).toBe(200);
  const rows: ListedCustomerRow[] = answer.body.data;
  return rows.map(({ name, id }) => name ?? id);
}

test.each([
  ["soren", ["Søren Ørsted"]],
  ["SØREN", ["Søren Ørsted"]],
  ["orsted soren", ["Søren Ørsted"]],
  ["nystrom", ["Eva Nyström"]],
  ["nguyen", ["Nguyễn Thị Mai"]],
  ["gros", ["Jan Groß"]],
  ["grosz", []],
  ["Müller", ["Mia Muller"]],
  ["gajo", []],
  ["がじょう", ["がじょう"]],
  ["かしょう", []],
  ["・", []],
])("%s without the accents of the name or with them", async (typed, names) => {
  expect((await found(typed)).sort()).toEqual(names.toSorted());
});

test.each([
  ["しょうじ", ["小路 遥", "東海林 望"]],
  ["ショウジ", ["小路 遥", "東海林 望"]],
  ["ｼｮｳｼﾞ", ["小路 遥", "東海林 望"]],
  ["のぞみ", ["東海林 望"]],
  ["しょうじのぞ", ["東海林 望"]],
  ["ハルカ　ショウジ", ["小路 遥"]],
  ["しょうし", []],
  ["小路", ["小路 遥"]],
])("%s in the reading of the name, in any kana", async (typed, names) => {
  expect((await found(typed)).sort()).toEqual(names.toSorted());
});

test.each([
  ["fra@", ["Jan Groß"]],
  ["fra@me", ["Jan Groß"]],
  ["met.exam", ["Eva Nyström", "Jan Groß"]],
  ["@met.", ["Eva Nyström", "Jan Groß"]],
  ["met", []],
])("%s as a part of an e-mail", async (typed, names) => {
  expect((await found(typed)).sort()).toEqual(names.toSorted());
});

test("the whole of an e-mail before its @ comes first; a search keeps tier and order, and says how many it found", async () => {
  for (const n of [210, 211, 21, 212]) await make(`m-${n}`, `Member ${n}`, `member-${n}@example.org`);
  expect((await found("member-21"))[0]).toBe("Member 21");
  const { body: all } = await viewer.get("/customers?q=member-21");
  expect(all.found).toEqual({ count: 4, has_more: false });
  await service.client.post("/api/storefront/point_allotments", { customer_id: "m-212", point_value: 7 });
  const richest = await viewer.get("/customers?q=member-21&sort=points");
  expect(richest.body.data[0].name).toBe("Member 212");
  const silver = all.tiers.find(({ name }: { name: string }) => name === "Silver").uid;
  expect((await viewer.get(`/customers?q=member-21&tier=${silver}`)).body).toMatchObject({
    data: [],
    found: { count: 0 },
  });
  await support.put("/customers/m-21/tier", { tier: "Silver" });
  const { body } = await viewer.get(`/customers?q=member-21&tier=${silver}`);
  expect(body).toMatchObject({ data: [{ name: "Member 21" }], found: { count: 1, has_more: false } });
  expect((await viewer.get("/customers")).body.found).toBeNull();
});

test("names that contain a text come before more readings that do than a search finds, of which those that begin with it come first", async () => {
  const many = Array.from({ length: 500 }, (_, n) => ({ storefrontId: `y${n}`, nameReading: `ユヅキ ${n}` }));
  await service.deps.db.tx((tx) => upsertCustomers(tx, service.deps, many));
  await make("y-named", "あゆづき", "named@example.org");
  expect((await found("ゆづき"))[0]).toBe("あゆづき");
  const begins = { storefrontId: "y-begins", name: "都木 凛", nameReading: "ヅキ リン" };
  await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, begins));
  expect((await found("づき")).slice(0, 2)).toEqual(["あゆづき", "都木 凛"]);
});

test("a large store that has not made the indexes of accents, domains and readings yet is searched without them", async () => {
  await service.owner.execute(
    "drop index customer_accents, customer_email_domain, customer_readings, customer_reading_prefix",
  );
  expect(await found("Søren")).toEqual(["Søren Ørsted"]);
  expect([await found("soren"), await found("met.exam"), await found("のぞみ")]).toEqual([[], [], []]);
});
