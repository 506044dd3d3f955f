import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { eraseImports } from "../../src/imports/erase-imports.ts";
import { pruneImports } from "../../src/imports/prune-imports.ts";
import { workImports } from "../../src/imports/work-imports.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { settingsOf, upload } from "../support/csv.ts";
import { checkCustomers, customerCounts, customerLines, faultsOf, startCustomers } from "../support/customer-import.ts";
import { killImport } from "../support/kill-import.ts";
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

const put = (id: string, body: object) => service.client.put(`${API}/customers/${id}`, body);
const read = async (id: string) => (await service.client.get(`${API}/customers/${id}`)).body.data;
const statusOf = async (id: string) => (await service.client.get(`${API}/customers/${id}`)).status;
const check = (content: string, options?: object) =>
  checkCustomers(
    service,
    manager,
    content,
    options === undefined
      ? {}
      : { options: { origin: "migration", extends: false, reason_type: null, note: null, ...options } },
  );
const start = (uid: string) => startCustomers(service, manager, uid);

async function imported(content: string, options?: object): Promise<string> {
  const { uid } = await check(content, options);
  await start(uid);
  return uid;
}

async function undo(uid: string) {
  const started = await manager.post(`/imports/${uid}/undo`);
  expect(started.status, started.text).toBe(200);
  await workImports(service.deps);
  return (await manager.get(`/imports/${uid}`)).body.data;
}

describe("an e-mail that is somebody else's", () => {
  test("is a fault of the row, in any case: a file with another app's ids doubles nobody", async () => {
    await put("s1", { email: "hana@example.com", name: "Hana" });
    await put("s2", { email: "ken@example.com" });
    const data = await check(
      customerLines("app-1,HANA@Example.com,Hana S,,,", "app-2,Ken@example.com,,,,", "s2,ken@example.com,Ken,,,"),
    );
    expect(data.check).toMatchObject({ good_count: 1, fault_count: 2, customers: customerCounts(0, 1, 0) });
    expect(await faultsOf(manager, data.uid, "check")).toEqual([
      "2 email_taken hana@example.com",
      "3 email_taken ken@example.com",
    ]);
    await start(data.uid);
    expect([await statusOf("app-1"), (await read("s2")).name, (await read("s1")).name]).toEqual([404, "Ken", "Hana"]);
  });

  test("two ids under one e-mail in the file: the first row holds, the others are faults", async () => {
    const data = await check(
      customerLines("f1,Twice@example.com,One,,,", "f2,twice@EXAMPLE.com,Two,,,", "f1,twice@example.com,,1990-01-02,,"),
    );
    expect(data.check).toMatchObject({
      row_count: 3,
      good_count: 2,
      fault_count: 1,
      customers: customerCounts(1, 1, 0),
    });
    expect(await faultsOf(manager, data.uid, "check")).toEqual(["3 email_repeated twice@example.com"]);
  });

  test("taken since the check: the row fails when it is imported", async () => {
    const data = await check(customerLines("g1,late@example.com,G,,,"));
    await put("g2", { email: "late@example.com" });
    const done = await start(data.uid);
    expect(done.import).toMatchObject({ good_count: 0, fault_count: 1 });
    expect(await faultsOf(manager, data.uid, "import")).toEqual(["2 email_taken late@example.com"]);
    expect(await statusOf("g1")).toBe(404);
  });
});

describe("match by e-mail", () => {
  test("a row changes the customer of its e-mail, and its id is not taken", async () => {
    await put("m1", { email: "m1@example.com", name: "Old" });
    await put("m2", { email: "m2@example.com", name: "Stays" });
    const data = await check(
      customerLines(
        "x-1,M1@example.com,New,,,",
        "m2,nobody@example.com,Wrong,,,",
        "x-3,m3@example.com,Made,,,",
        "x-4,,No mail,,,",
        ",m4@example.com,No id,,,",
      ),
      { match_by_email: true },
    );
    expect(data.options).toMatchObject({ match_by_email: true });
    expect(data.check).toMatchObject({ good_count: 2, fault_count: 3, customers: customerCounts(1, 1, 0) });
    expect(await faultsOf(manager, data.uid, "check")).toEqual([
      "3 id_taken m2",
      "5 email_missing null",
      "6 id_missing null",
    ]);
    await start(data.uid);
    expect(await read("m1")).toMatchObject({ name: "New", email: "m1@example.com" });
    expect([await statusOf("x-1"), (await read("m2")).name, (await read("x-3")).name]).toEqual([404, "Stays", "Made"]);
  });

  test("needs no column of ids, and an e-mail that two customers hold is a fault", async () => {
    await put("n1", { email: "both@example.com" });
    await put("n2", { email: "both@example.com" });
    await put("n3", { email: "n3@example.com" });
    const sent = await upload(
      { url: service.url, cookie: manager.cookie },
      "email,name\nboth@example.com,B\nn3@example.com,N\n",
      { kind: "customers" },
    );
    const { uid, options } = sent.body.data;
    const refused = await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data));
    expect([refused.status, refused.body.errors[0].source.pointer]).toEqual([422, "/columns/id"]);
    const body = settingsOf(sent.body.data, { options: { ...options, match_by_email: true } });
    expect((await manager.post(`/imports/${uid}/check`, body)).status).toBe(200);
    await workImports(service.deps);
    expect(await faultsOf(manager, uid, "check")).toEqual(["2 customer_ambiguous both@example.com"]);
    await start(uid);
    expect((await read("n3")).name).toBe("N");
  });
});

describe("undoing an import of customers", () => {
  test("who was made is gone with the id, and what was changed is as before", async () => {
    await put("u1", { email: "u1@example.com", name: "Old", birthday: "--04-12", accepts_marketing: false });
    const before = await read("u1");
    const uid = await imported(
      customerLines(
        "u1,new@example.com,New,1988-04-12,yes,",
        "u2,u2@example.com,Two,,,",
        "u2,,Two B,,,",
        "u1,,Newer,,,",
      ),
    );
    expect(await read("u1")).toMatchObject({ name: "Newer", email: "new@example.com" });
    const undone = await undo(uid);
    expect(undone).toMatchObject({ state: "undone", undo: { row_count: 4, good_count: 4, fault_count: 0 } });
    expect(await read("u1")).toEqual(before);
    expect(await statusOf("u2")).toBe(404);
    expect(await service.deps.db.query("select from customer_alias where storefront_id = 'u2'")).toEqual([]);
    // the id is free: the one who really has it is new, and no deleted customer
    expect((await put("u2", { name: "The real one" })).status).toBe(201);
    const entries = await service.deps.db.query<{ action: string }>(
      "select action from audit_entry where subject_id = $1 order by id",
      [uid],
    );
    expect(entries.at(-1)).toMatchObject({ action: "import.undo_started" });
    expect((await manager.post(`/imports/${uid}/undo`)).status).toBe(409);
  });

  test("a reading comes and goes with its row; one that was stated since to whom an older version made stays", async () => {
    const readingOf = async (id: string) =>
      (await service.client.get(`${API}/customers/${id}/data`)).body.data.customers[0].name_reading;
    await put("r1", { name: "山田 花子", name_reading: "やまだ" });
    const uid = await imported("会員番号,氏名（フリガナ）\nr1,ヤマダ ハナコ\nr2,\nr3,\n");
    expect(await readingOf("r1")).toBe("ヤマダ ハナコ");
    await service.owner.execute("update import_change set after = after - 'nameReading' where is_created");
    await put("r2", { name_reading: "さとう" });
    expect((await undo(uid)).undo).toMatchObject({ good_count: 2, fault_count: 1 });
    expect([await readingOf("r1"), await readingOf("r2")]).toEqual(["やまだ", "さとう"]);
  });

  test("what was changed or used since stays, and is told", async () => {
    await put("v1", { name: "Old", birthday: "--04-12" });
    const uid = await imported(
      customerLines(
        "v1,,New,1988-04-12,,",
        "v2,,Named since,,,",
        "v3,,Has points,,,",
        "v4,,Has an order,,,",
        "v5,,Is gone,,,",
      ),
    );
    await put("v1", { name: "Since" });
    await put("v2", { name: "Other" });
    const given = await service.client.post(`${API}/point_allotments`, { customer_id: "v3", point_value: 5 });
    expect(given.status, given.text).toBe(200);
    const order = {
      order_id: "V-4",
      customer_id: "v4",
      lines: [{ line_id: "a", quantity: 1, unit_price: { minor: 1, currency: "JPY" } }],
    };
    expect((await service.client.post("/intake/events", { type: "OrderPlaced", payload: order })).status).toBe(202);
    await processAllReceipts(service.deps);
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, "v5", "test"));
    const undone = await undo(uid);
    expect(undone.undo).toMatchObject({ row_count: 5, good_count: 0, fault_count: 5 });
    expect(await faultsOf(manager, uid, "undo")).toEqual([
      "2 customer_changed_since null",
      "3 customer_changed_since null",
      "4 customer_changed_since null",
      "5 customer_changed_since null",
      "6 customer_gone null",
    ]);
    expect(await read("v1")).toMatchObject({ name: "Since", birthday: "--04-12" });
    expect([await statusOf("v2"), await statusOf("v3"), await statusOf("v4")]).toEqual([200, 200, 200]);
  });

  test("who spent in another app according to a file stays, and that file can be undone by itself", async () => {
    const uid = await imported(customerLines("x1,,Spent elsewhere,,,"));
    const sent = await upload({ url: service.url, cookie: manager.cookie }, "customer,spent\nx1,500\n", {
      kind: "spend",
    });
    expect(sent.status, sent.text).toBe(201);
    const spend = sent.body.data.uid;
    const checked = await manager.post(`/imports/${spend}/check`, settingsOf(sent.body.data));
    expect(checked.status, checked.text).toBe(200);
    await workImports(service.deps);
    await start(spend);
    expect((await undo(uid)).undo).toMatchObject({ row_count: 1, good_count: 0, fault_count: 1 });
    expect(await statusOf("x1")).toBe(200);
    expect(await undo(spend)).toMatchObject({ state: "undone", undo: { row_count: 1, fault_count: 0 } });
  });

  test("matched by e-mail, too", async () => {
    await put("w1", { email: "w1@example.com", name: "Old" });
    const uid = await imported(customerLines("app,w1@example.com,New,,,"), { match_by_email: true });
    await undo(uid);
    expect((await read("w1")).name).toBe("Old");
  });

  test("not of an import that an older version started, nor after 90 days; the forgotten are forgotten", async () => {
    await put("o1", { name: "Old" });
    const uid = await imported(customerLines("o1,,New,,,", "o2,,Two,,,"));
    await service.deps.db.execute("update import set keeps_changes = false where uid = $1", [uid]);
    const refused = await manager.post(`/imports/${uid}/undo`);
    expect([refused.status, refused.body.errors[0].title]).toEqual([409, "This import of customers cannot be undone"]);
    expect((await manager.get(`/imports/${uid}`)).body.data.undo_until).toBeNull();
    await service.deps.db.execute("update import set keeps_changes = true where uid = $1", [uid]);
    const [ref] = await service.deps.db.query<{ bucket: number; customerUid: string }>(
      `select bucket, customer_uid as "customerUid" from customer where storefront_id = 'o1'`,
    );
    await service.deps.db.tx((tx) => eraseImports(tx, ref === undefined ? [] : [ref]));
    const left = await service.deps.db.query("select from import_change where import_uid = $1", [uid]);
    expect(left).toHaveLength(1);
    const { clock } = service;
    clock.set(clock.now().add({ hours: 24 * 91 }));
    manager = await signIn(service, "manager");
    expect((await manager.post(`/imports/${uid}/undo`)).status).toBe(409);
    await pruneImports(service.deps);
    expect(await service.deps.db.query("select from import_change where import_uid = $1", [uid])).toEqual([]);
  });
});

test("killed again and again, undoing removes and restores each customer once", async () => {
  const known = Array.from({ length: 4_000 }, (_, n) => `k${n},,Before ${n},,,`);
  await imported(customerLines(...known));
  const rows = Array.from({ length: 8_000 }, (_, n) => `k${n},k${n}@example.com,After ${n},,,`);
  const uid = await imported(customerLines(...rows));
  const undone = await killImport(service, manager, { uid, verb: "undo" });
  expect(undone).toMatchObject({
    state: "undone",
    undo: { row_count: 8_000, good_count: 8_000, customers: customerCounts(4_000, 4_000, 0) },
  });
  const [figures] = await service.deps.db.query(
    `select count(*)::int as customers,
      count(*) filter (where c.name = 'Before ' || substr(c.storefront_id, 2) and c.email is null)::int as right,
      (select count(*)::int from balance b where not exists (select from customer o where o.customer_uid = b.customer_uid)) as stray
    from customer c
    where c.storefront_id ~ '^k[0-9]+$'`,
  );
  expect(figures).toEqual({ customers: 4_000, right: 4_000, stray: 0 });
});

test("an order that comes while its customer is being removed keeps a customer", async () => {
  const ids = Array.from({ length: 40 }, (_, n) => `r${n}`);
  const uid = await imported(customerLines(...ids.map((id) => `${id},,Race,,,`)));
  const orders = ids.map((id) => ({
    type: "OrderPaid",
    payload: {
      order_id: `R-${id}`,
      customer_id: id,
      fulfillment_status: "fulfilled",
      lines: [{ line_id: "a", quantity: 1, unit_price: { minor: 1_000, currency: "JPY" } }],
    },
  }));
  expect((await service.client.post("/intake/events", orders)).status).toBe(202);
  expect((await manager.post(`/imports/${uid}/undo`)).status).toBe(200);
  await Promise.all([workImports(service.deps), processAllReceipts(service.deps)]);
  const states = await service.deps.db.query("select from receipt where state <> 'done'");
  expect(states).toEqual([]);
  const [stray] = await service.deps.db.query<{ count: bigint; points: bigint }>(
    `select count(*) filter (where c.customer_uid is null) as count,
      sum(b.ledger_points)::bigint as points
    from store_order o
    left join customer c on c.bucket = o.bucket and c.customer_uid = o.customer_uid
    left join balance b on b.bucket = o.bucket and b.customer_uid = o.customer_uid
    where o.order_id like 'R-r%'`,
  );
  expect(stray).toEqual({ count: 0n, points: 400n });
});
