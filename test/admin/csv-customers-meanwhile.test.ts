import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { eraseImports } from "../../src/imports/erase-imports.ts";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { queueBehind } from "../support/behind.ts";
import { settingsOf } from "../support/csv.ts";
import { checkCustomers, customerCounts, customerLines, faultsOf, startCustomers } from "../support/customer-import.ts";
import { mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

const API = "/api/storefront";

let service: TestService;
let manager: AdminClient;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-03-01T00:00:00Z" });
  manager = await signIn(service, "manager");
});
afterAll(() => stopVerified(service));

const check = (content: string | Uint8Array<ArrayBuffer>, others?: object) =>
  checkCustomers(service, manager, content, others);
const start = (uid: string) => startCustomers(service, manager, uid);
const put = (id: string, body: object) => service.client.put(`${API}/customers/${id}`, body);
const read = async (id: string) => (await service.client.get(`${API}/customers/${id}`)).body.data;
const remove = (id: string) => service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, id, "test"));
const merge = (removedId: string, keptId: string) => mergeInto(service.deps, removedId, keptId);

const LOCK_BALANCE = `select b.version
from balance b
join customer_alias a on a.bucket = b.bucket and a.customer_uid = b.customer_uid
where a.storefront_id = $1
for update of b`;

/** Calls for each id, forty at once: a busy machine refuses more. */
async function byForty(ids: readonly string[], call: (id: string) => Promise<unknown>): Promise<void> {
  const rest = ids.values();
  const take = async () => {
    for (const id of rest) await call(id);
  };
  await Promise.all(Array.from({ length: 40 }, take));
}

describe("what happens meanwhile", () => {
  test("customers that are merged, deleted or made between check and import", async () => {
    for (const id of ["h1", "h2", "h4"]) await put(id, { name: id });
    const data = await check(
      customerLines("h1,,New 1,,,", "h2,,New 2,,,", "h3,,New 3,,,", "h4,,New 4,,,", "h5,,New 5,,,"),
    );
    expect(data.check.customers).toEqual(customerCounts(2, 3, 0));
    await put("kept", { name: "Kept" });
    await merge("h1", "kept");
    await remove("h2");
    await put("h3", { email: "h3@example.com", name: "New 3" });
    await merge("h4", "gone");
    await remove("gone");
    await remove("h5"); // one that was unknown
    const imported = await start(data.uid);
    expect(imported.import).toMatchObject({
      row_count: 5,
      good_count: 2,
      fault_count: 3,
      customers: customerCounts(0, 1, 1),
    });
    expect(await faultsOf(manager, data.uid, "import")).toEqual([3, 5, 6].map((line) => `${line} customer_gone null`));
    expect(await read("h1")).toMatchObject({ id: "kept", name: "New 1" });
    expect(await read("h3")).toMatchObject({ email: "h3@example.com", name: "New 3" });
    for (const id of ["h2", "h4", "h5"]) expect((await service.client.get(`${API}/customers/${id}`)).status).toBe(404);
  });

  test("requests for the same customers while the file is imported: nothing of either is lost", async () => {
    const ids = Array.from({ length: 600 }, (_, n) => `m${n}`);
    const known = ids.filter((_, n) => n % 3 === 0);
    await byForty(known, (id) => put(id, { name: "Before" }));
    const { uid } = await check(customerLines(...ids.map((id) => `${id},,After ${id},,,`)));
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
    const statuses: number[] = [];
    const send = async (id: string) => statuses.push((await put(id, { email: `${id}@example.com` })).status);
    await Promise.all([workImports(service.deps), workImports(service.deps), byForty(ids, send)]);
    expect(statuses).toHaveLength(ids.length);
    expect(statuses.filter((status) => status !== 200 && status !== 201)).toEqual([]);
    expect((await manager.get(`/imports/${uid}`)).body.data).toMatchObject({
      state: "imported",
      import: { good_count: 600, fault_count: 0 },
    });
    const [row] = await service.deps.db.query(
      `select count(*)::int as customers,
        count(*) filter (where c.name = 'After ' || c.storefront_id
          and c.email = c.storefront_id || '@example.com')::int as whole
      from customer c
      where c.storefront_id like 'm%'`,
    );
    expect(row).toEqual({ customers: 600, whole: 600 });
  });

  test("a file holds as a PUT does: over what the platform said, until it says something newer", async () => {
    const send = (day: number, fields: object) =>
      service.deps.db.tx((tx) =>
        upsertCustomer(tx, service.deps, {
          storefrontId: "i1",
          profileAt: Temporal.Instant.from("2026-02-01T00:00:00Z").add({ hours: 24 * day }),
          ...fields,
        }),
      );
    await send(5, { name: "Five", birthday: "1988-04-12" });
    await start((await check(customerLines("i1,,File,,,"))).uid);
    expect(await read("i1")).toMatchObject({ name: "File", birthday: "1988-04-12" });
    await send(4, { name: "Four", email: "four@example.com" });
    expect(await read("i1")).toMatchObject({ name: "File", email: "four@example.com" });
    await send(6, { name: "Six" });
    expect(await read("i1")).toMatchObject({ name: "Six" });
  });

  test("rows go with an import that is given up", async () => {
    const { uid } = await check(customerLines("j1,,Jay,,,"));
    expect(await service.deps.db.query("select storefront_id from import_profile")).toEqual([{ storefront_id: "j1" }]);
    expect((await manager.post(`/imports/${uid}/give_up`)).status).toBe(200);
    await pruneImports(service.deps);
    expect(await service.deps.db.query("select from import_profile")).toEqual([]);
    expect((await service.client.get(`${API}/customers/j1`)).status).toBe(404);
  });

  test("everybody's erasure waits for the rows in hand, and none is done after it", async () => {
    await put("n0", { name: "Before" });
    const rows = Array.from({ length: 60 }, (_, n) => `n${n},,After ${n},,,`);
    const { uid } = await check(customerLines(...rows));
    expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
    const count = () => service.deps.db.query("select count(*) from customer where storefront_id like 'n%'");
    let erased: object[] = [];
    await queueBehind(service.deps.db, (tx) => tx.query(LOCK_BALANCE, ["n0"]), [
      () => workImports(service.deps),
      async () => {
        await service.deps.db.tx((tx) => eraseImports(tx, "everybody"));
        erased = await count();
      },
    ]);
    expect(await read("n0")).toMatchObject({ name: "After 0" });
    expect(await count()).toEqual(erased);
    expect(await service.deps.db.query("select from import_profile")).toEqual([]);
  });

  test("a check anew keeps nothing of the one before", async () => {
    const data = await check("id,first,second\nk1,One,Two\n", { columns: { id: 0, name: 1 } });
    const again = settingsOf(data, { columns: { id: 0, name: 2 } });
    expect((await manager.post(`/imports/${data.uid}/check`, again)).status).toBe(200);
    await workImports(service.deps);
    expect((await manager.get(`/imports/${data.uid}`)).body.data.check.customers).toEqual(customerCounts(1, 0, 0));
    await start(data.uid);
    expect(await read("k1")).toMatchObject({ name: "Two" });
  });
});

test("what a file tells by webhook is what requests would have told", async () => {
  const hook = { topic: "point_balance/update", callback_url: "http://127.0.0.1:1/hook" };
  expect((await service.client.post(`${API}/webhooks`, hook)).status).toBe(200);
  const willing = { accepts_marketing: true };
  const cases = [
    [{ name: "Old" }, ",New,,,", { name: "New" }],
    [{ name: "Old" }, ",Old,,,", { name: "Old" }],
    [{}, ",,1988-04-12,,", { birthday: "1988-04-12" }],
    [{}, "MAIL,,,,", { email: "MAIL" }],
    [{ accepts_marketing: false }, ",,,yes,", { accepts_marketing: true }],
    [{ accepts_marketing: true }, ",,,no,", { accepts_marketing: false }],
    [{ account_enabled: false }, ",,,,yes", { account_enabled: true }],
    [{ account_enabled: true }, ",,,,no", { account_enabled: false }],
    [{ account_enabled: false, name: "Old" }, ",New,,yes,no", { name: "New", ...willing, account_enabled: false }],
    [null, ",New,1988-04-12,yes,", { name: "New", birthday: "1988-04-12", ...willing }],
  ] as const;
  const own = (text: string, id: string) => text.replace("MAIL", `${id}@example.com`);
  const rows: string[] = [];
  const expected: string[] = [];
  for (const [n, [known, cells, body]] of cases.entries()) {
    const ids = [`file-${n}`, `put-${n}`] as const;
    for (const id of ids) {
      if (known === null) continue;
      await put(id, known);
      await service.client.post(`${API}/point_allotments`, { customer_id: id, point_value: 10 });
    }
    rows.push(`${ids[0]},${own(cells, ids[0])}`);
    await service.deps.db.query("delete from outbox_event");
    expect((await put(ids[1], JSON.parse(own(JSON.stringify(body), ids[1])))).status).toBe(known === null ? 201 : 200);
    expected.push(...(await told()).map((payload) => payload.replaceAll("put-", "file-")));
  }
  await service.deps.db.query("delete from outbox_event");
  await start((await check(customerLines(...rows))).uid);
  expect((await told()).sort()).toEqual(expected.sort());
  expect(expected).toHaveLength(5);
});

/** Payloads that wait, without the uids of their customers. */
async function told(): Promise<string[]> {
  const rows = await service.deps.db.query<{ payload: string }>("select payload from outbox_event");
  return rows.map(({ payload }) => payload.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "uid"));
}
