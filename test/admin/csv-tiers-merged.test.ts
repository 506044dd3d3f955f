import { afterAll, beforeAll, expect, test } from "vitest";
import { workImports } from "../../src/imports/work-imports.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

// Files of tiers for customers who become one with others: a merge and a file give the same standing in either order.

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
