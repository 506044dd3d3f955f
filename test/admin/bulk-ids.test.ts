import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { countSegments } from "../../src/segments/count-segments.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { balanceOf, settingsOf, upload } from "../support/csv.ts";
import { makeCustomer, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

/** Each id is the e-mail or, in a file, the text of another one's. */
const IDS = { "mio@shop.jp": "mio@new.jp", "Mio@Shop.JP": "mio@old.jp", "'-7": "seven@shop.jp" };
const OTHERS = { y: "mio@shop.jp", "-7": "minus@shop.jp" };

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  manager = await signIn(service, "manager");
  for (const [storefrontId, email] of Object.entries({ ...IDS, ...OTHERS }))
    await makeCustomer(service.deps, { storefrontId, email });
  for (const storefrontId of ["kept", "merged", "gone@shop.jp"]) await makeCustomer(service.deps, { storefrontId });
  await makeCustomer(service.deps, { storefrontId: "z", email: "gone@shop.jp" });
  await mergeInto(service.deps, "merged", "kept");
  await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "gone@shop.jp", "test"));
});
afterAll(() => service.stop());

const ALL = [...Object.keys(IDS), ...Object.keys(OTHERS), "kept", "z"];

async function gained(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const read = async () =>
    new Map(await Promise.all(ALL.map(async (id) => [id, await balanceOf(service.deps, id)] as const)));
  const before = await read();
  await work();
  const changes = [...(await read())].map(([id, points]) => [id, Number(points - (before.get(id) ?? 0n))] as const);
  return Object.fromEntries(changes.filter(([, points]) => points !== 0));
}

async function checked(uid: string) {
  await workImports(service.deps);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

async function start(uid: string) {
  expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
  await workImports(service.deps);
}

const give = async (source: object) => {
  const { status, body, text } = await manager.post("/bulk/points", {
    ...source,
    points: 5,
    reason_type: null,
    note: null,
  });
  expect(status, text).toBe(201);
  return checked(body.data.import);
};

test("points for chosen customers are theirs whatever their ids look like, also when the file is checked again", async () => {
  const customers = [...Object.keys(IDS), "merged", "kept", "gone@shop.jp", "kept"];
  const file = await give({ customers });
  expect(file).toMatchObject({ file_name: "5 customers: +5.csv", check: { good_count: 4, fault_count: 1 } });
  expect((await manager.get(`/imports/${file.uid}/faults?phase=check`)).body.data).toMatchObject([
    { code: "customer_unknown", value: "gone@shop.jp" },
  ]);
  const again = await manager.post(`/imports/${file.uid}/check`, settingsOf(file, {}));
  expect(again.status, again.text).toBe(200);
  expect(await checked(file.uid)).toMatchObject({ check: { good_count: 4, fault_count: 1 } });
  const expected = Object.fromEntries([...Object.keys(IDS), "kept"].map((id) => [id, 5]));
  expect(await gained(() => start(file.uid))).toEqual(expected);
});

test("points for a segment are those of its customers", async () => {
  await aggregateAll(service.deps);
  const { body } = await manager.post("/segments", { name: "With points", filter: { points_min: 1 } });
  while ((await countSegments(service.deps)) > 0);
  const file = await give({ segment: body.data.uid });
  const expected = Object.fromEntries([...Object.keys(IDS), "kept"].map((id) => [id, 5]));
  expect(await gained(() => start(file.uid))).toEqual(expected);
});

test("a person's file gives nobody points by a text that two customers have, as id and as e-mail", async () => {
  await makeCustomer(service.deps, { storefrontId: "own@shop.jp", email: "own@shop.jp" });
  const content = "customer,points\nmio@shop.jp,5\nMIO@NEW.JP,6\nown@shop.jp,7\ngone@shop.jp,8\nunknown@shop.jp,9\n";
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content);
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data, {}));
  expect(await checked(uid)).toMatchObject({ check: { good_count: 3, fault_count: 2 } });
  const { body } = await manager.get(`/imports/${uid}/faults?phase=check`);
  expect(body.data).toMatchObject([
    { line: 2, code: "customer_ambiguous" },
    { line: 6, code: "customer_unknown" },
  ]);
  expect(await gained(() => start(uid))).toEqual({ "mio@shop.jp": 6, z: 8 });
});
