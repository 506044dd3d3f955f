import { afterAll, beforeAll, expect, test } from "vitest";
import { workImports } from "../../src/imports/work-imports.ts";
import { evaluateTiers } from "../../src/tiers/evaluate-tiers.ts";
import { knowPresent } from "../support/clock.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// Files of tiers for customers who become one with others, where a merge and a file give the same standing in either order, and those that are undone after
// a check.

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  const rules = ["Bronze", "Silver", "Gold"].map((name, n) => ({ name, currency_spent_requirement: n * 1_000 }));
  service = await startTestService({ worker: false, program: { tiers: { rules } } });
  manager = await signIn(service, "manager");
});
afterAll(() => service.stop());

/** Uploads a file of tiers and checks it. Returns its uid. */
async function check(content: string): Promise<string> {
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content, {
    kind: "tiers",
    name: "tiers.csv",
  });
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  expect((await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data))).status).toBe(200);
  await workImports(service.deps);
  return uid;
}

async function work(uid: string, step: "start" | "undo"): Promise<void> {
  const { status, text } = await manager.post(`/imports/${uid}/${step}`);
  expect(status, text).toBe(200);
  await workImports(service.deps);
}

/** What another app's file keeps for a customer who becomes one with somebody whom a file of tiers names, as the dashboard shows it. */
async function keptAfterMerge(row: string, [named, merged]: readonly [string, string]) {
  for (const id of [named, merged]) await makeCustomer(service.deps, { storefrontId: id });
  await work(await check(`id,tier,keep until\n${merged},Silver,2031-12-31\n`), "start");
  const uid = await check(`id,tier,keep until\n${named},${row}\n`);
  await mergeInto(service.deps, merged, named);
  await work(uid, "start");
  const { name, kept_tier, kept_until } = (await manager.get(`/customers/${named}`)).body.data.tier;
  return [name, kept_tier, kept_until];
}

test("a tier that is kept by a merge since the upload is kept as long, and below a higher tier of the file", async () => {
  const until = "2031-12-31T15:00:00.000000Z"; // the day ends in Tokyo
  expect(await keptAfterMerge("Silver,2030-12-31", ["761", "762"])).toEqual(["Silver", "Silver", until]);
  expect(await keptAfterMerge("Gold,", ["763", "764"])).toEqual(["Gold", "Silver", until]);
});

test("undoing tiers does not lower whom a merge would have given the same tier", async () => {
  for (const id of ["771", "772"]) await makeCustomer(service.deps, { storefrontId: id });
  await service.client.post("/api/storefront/point_balances/772/tiers", { tier: "Silver" });
  const uid = await check("id,tier\n771,Silver\n");
  await work(uid, "start");
  await mergeInto(service.deps, "772", "771");
  await work(uid, "undo");
  const { tier } = (await service.client.get("/api/storefront/point_balances/771/tier")).body.data;
  const left = (await manager.get(`/imports/${uid}/faults?phase=undo`)).body.data;
  expect([tier, left.map(({ code }: { code: string }) => code)]).toEqual(["Silver", ["changed_since"]]);
});

test("who had never been placed has no standing after the undoing, whatever becomes the default tier", async () => {
  for (const id of ["781", "782"]) await makeCustomer(service.deps, { storefrontId: id });
  await service.client.post("/api/storefront/point_balances/782/tiers", { minimum_tier: "Silver" });
  const uid = await check("id,tier,keep until\n781,Gold,2031-12-31\n782,Gold,\n");
  await work(uid, "start");
  await work(uid, "undo");
  const rows = await service.deps.db.query<{ id: string }>(
    `select c.storefront_id as id
    from customer c
    join customer_tier t on t.bucket = c.bucket and t.customer_uid = c.customer_uid
    where c.storefront_id in ('781', '782')`,
  );
  expect(rows).toEqual([{ id: "782" }]);
});

/** Makes customers who have spent so much by their orders, each with a tier or none, whom a file of tiers places in Gold. Returns its uid. */
async function placeSpenders(spenders: readonly { id: string; spent: bigint; tier?: string }[]): Promise<string> {
  for (const { id, spent, tier } of spenders) {
    const { bucket, customerUid } = await makeCustomer(service.deps, { storefrontId: id });
    await service.deps.db.execute(
      "insert into order_spend (order_id, bucket, customer_uid, credited_at, spend_minor) values ($1, $2, $3, $4, $5)",
      [`order-${id}`, bucket, customerUid, service.clock.now(), spent],
    );
    if (tier !== undefined) await service.client.post(`/api/storefront/point_balances/${id}/tiers`, { tier });
  }
  const uid = await check(`id,tier,keep until\n${spenders.map(({ id }) => `${id},Gold,2031-12-31\n`).join("")}`);
  await work(uid, "start");
  return uid;
}

async function pastCheck(): Promise<void> {
  service.clock.advance({ hours: 24 * 32 });
  manager = await signIn(service, "manager");
}

async function undone(uid: string, ids: readonly string[]) {
  await work(uid, "undo");
  const tierOf = async (id: string) =>
    (await service.client.get(`/api/storefront/point_balances/${id}/tier`)).body.data.tier;
  const left = (await manager.get(`/imports/${uid}/faults?phase=undo`)).body.data;
  return [
    await Promise.all(ids.map(tierOf)),
    left.map(({ line, code }: { line: number; code: string }) => [line, code]),
  ];
}

test("undoing tiers takes none that a check has confirmed, and gives what the checks would have given without the file", async () => {
  const uid = await placeSpenders([
    { id: "791", spent: 2_000n },
    { id: "792", spent: 1_000n },
    { id: "793", spent: 0n, tier: "Silver" },
    { id: "794", spent: 0n },
  ]);
  await pastCheck();
  await evaluateTiers(service.deps);
  const after = [["Gold", "Silver", "Silver", "Bronze"], [[2, "changed_since"]]];
  expect(await undone(uid, ["791", "792", "793", "794"])).toEqual(after);
  const [row] = await service.deps.db.query(
    `select t.kept_tier_uid
    from customer c
    join customer_tier t on t.bucket = c.bucket and t.customer_uid = c.customer_uid
    where c.storefront_id = '791'`,
  );
  expect(row).toEqual({ kept_tier_uid: null });
});

test("a check that is late leaves alone whose tier an undoing restored: the undoing gives what it would have given", async () => {
  const uid = await placeSpenders([
    { id: "795", spent: 2_000n },
    { id: "796", spent: 1_000n },
  ]);
  await pastCheck();
  expect(await undone(uid, ["795", "796"])).toEqual([["Gold", "Silver"], [[2, "changed_since"]]]);
  await evaluateTiers(service.deps);
  const tier = async (id: string) =>
    (await service.client.get(`/api/storefront/point_balances/${id}/tier`)).body.data.tier;
  expect([await tier("795"), await tier("796")]).toEqual(["Gold", "Silver"]);
});

test("undoing a file of tiers takes none that a later file has given too, until that one is undone", async () => {
  for (const id of ["801", "802"]) await makeCustomer(service.deps, { storefrontId: id });
  const all = await check("id,tier\n801,Gold\n802,Gold\n");
  await work(all, "start");
  service.clock.advance({ seconds: 1 });
  const some = await check("id,tier\n801,Gold\n");
  await work(some, "start");
  expect(await undone(all, ["801", "802"])).toEqual([["Gold", "Bronze"], [[2, "changed_since"]]]);

  const first = await check("id,tier\n802,Silver\n");
  await work(first, "start");
  service.clock.advance({ seconds: 1 });
  const second = await check("id,tier,minimum tier\n802,Silver,Silver\n");
  await work(second, "start");
  expect(await undone(second, ["802"])).toEqual([["Silver"], []]);
  expect(await undone(first, ["802"])).toEqual([["Bronze"], []]);
});

test("undoing a file of tiers takes what a later file names but gives nothing, and leaves a skipped check that it gives too", async () => {
  for (const id of ["803", "804"]) await makeCustomer(service.deps, { storefrontId: id });
  const placed = await check("id,tier,skip next check\n803,Gold,no\n804,Gold,yes\n");
  await work(placed, "start");
  service.clock.advance({ seconds: 1 });
  await work(await check("id,minimum tier,skip next check\n803,none,no\n804,none,yes\n"), "start");
  expect(await undone(placed, ["803", "804"])).toEqual([["Bronze", "Gold"], [[3, "changed_since"]]]);
});

test("undoing tiers does not lower whom a merge gave something, where the clock of the node that started the file was ahead", async () => {
  for (const id of ["811", "812"]) await makeCustomer(service.deps, { storefrontId: id });
  await service.client.post("/api/storefront/point_balances/812/tiers", { tier: "Silver" });
  await service.client.post("/api/storefront/point_allotments", { customer_id: "812", point_value: 10 });
  const uid = await check("id,tier\n811,Silver\n");
  await knowPresent(service);
  const present = service.clock.now();
  service.clock.advance({ minutes: 5 });
  await work(uid, "start");
  service.clock.set(present);
  await mergeInto(service.deps, "812", "811");
  expect(await undone(uid, ["811"])).toEqual([["Silver"], [[2, "changed_since"]]]);
});
