import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeExports } from "../../../src/exports/make-exports.ts";
import { workImports } from "../../../src/imports/work-imports.ts";
import { redactShop } from "../../../src/intake/redact-shop.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../../src/orders/order-checks.ts";
import { selectOpenRequests } from "../../../src/privacy/privacy-queries.ts";
import { TIER_CHECKS } from "../../../src/tiers/tier-checks.ts";
import { runDeliveries } from "../../../src/webhooks/delivery/run-deliveries.ts";
import type { ImportKind } from "../../../src/wire/import-fields.ts";
import { settingsOf, upload } from "../../support/csv.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { type AdminClient, signIn } from "../../support/staff.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { UNACKNOWLEDGED } from "../../support/webhook-flow.ts";

const API = "/api/storefront";
const NAMED = { name: "Hanako Himitsu", name_reading: "ひみつ はなこ" };
const PERSON = { email: "hanako.himitsu@example.com", ...NAMED, birthday: "1988-04-12" };
const WORDS = ["hanako.himitsu", "Himitsu", "ひみつ", "1988-04-12", "note about her"];

let service: IntakeService;
let receiver: TestReceiver;
let owner: AdminClient;
let manager: AdminClient;
beforeAll(async () => {
  service = await startIntakeService({ log: () => {}, program: { staff: { approval_limit: 1_000 } } });
  owner = await signIn(service, "owner");
  manager = await signIn(service, "manager");
  receiver = await startReceiver();
  receiver.answer = () => (response) => response.writeHead(200).end(`thanks, ${PERSON.name}`);
  for (const topic of ["point_balance/update", "point_allotment/cascade", "point_balances/export"]) {
    await service.client.post(`${API}/webhooks`, { topic, callback_url: receiver.url });
  }
});
afterAll(async () => {
  const lines: string[] = [];
  expect(
    (await verifyLedger(service.deps.db, (line) => lines.push(line), [...ORDER_CHECKS, ...TIER_CHECKS])).ok,
    lines.join("\n"),
  ).toBe(true);
  await receiver.close();
  await service.stop();
});

/** Every row of every table whose text has one of the words, bytes included, as `<table>: <word>`. */
async function traces(words: readonly string[]): Promise<string[]> {
  const tables = await service.deps.db.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    for (const word of words) {
      const hex = Buffer.from(word).toString("hex");
      const [row] = await service.deps.db.query<{ n: bigint }>(
        `select count(*) as n from ${name} t where position(lower($1) in lower(t::text)) > 0 or position($2 in t::text) > 0`,
        [word, hex],
      );
      if (row !== undefined && row.n > 0n) found.push(`${name}: ${word}`);
    }
  }
  return found;
}

const send = (type: string, payload: object, more: object = {}) =>
  service.client.post("/intake/events", { type, occurred_at: service.deps.clock.now().toString(), ...more, payload });

function order(orderId: string, customerId: string | null, email: string): object {
  const at = "2026-03-01T00:00:00Z";
  return {
    order_id: orderId,
    customer_id: customerId,
    email,
    tags: [`for ${PERSON.name}`],
    processed_at: at,
    paid_at: at,
    updated_at: at,
    financial_status: "paid",
    shop_currency: "JPY",
    taxes_included: true,
    lines: [{ line_id: `${orderId}-1`, quantity: 1, unit_price: { minor: 12_000, currency: "JPY" } }],
    fulfillments: [
      { fulfillment_id: `${orderId}-f`, status: "success", lines: [{ line_id: `${orderId}-1`, quantity: 1 }] },
    ],
  };
}

/** A life that leaves traces everywhere. */
async function live(id: string, email: string): Promise<void> {
  const { client } = service;
  await send("CustomerUpserted", { customer_id: id, ...PERSON, email });
  await send("OrderPaid", order(`o-${id}`, id, email));
  await service.drain();
  const note = { type: "compensation", note: "note about her" };
  await client.post(`${API}/point_allotments`, { customer_id: id, point_value: 500, reason: note });
  await client.post(
    `${API}/point_balances/${encodeURIComponent(email)}/set_balances`,
    { balance: 450 },
    { "idempotency-key": `set-${id}` },
  );
  await client.post(`${API}/coupons`, { customer_id: id, point_value: 20 });
  await client.put(`${API}/customers/${id}`, { name: `${PERSON.name} II` });
  await adjust(id);
  await importFiles(id, email);
}

/** More than one person may, with what both said of it. */
async function adjust(id: string): Promise<void> {
  const wanted = { request_uid: randomUUID(), point_value: 1_001, note: "a note about her" };
  const asked = await manager.post(`/customers/${id}/adjustments`, wanted);
  expect(asked.body.data.state, asked.text).toBe("waiting");
  const decided = await owner.post(`/approvals/${wanted.request_uid}/approve`, { note: "another note about her" });
  expect(decided.status, decided.text).toBe(200);
}

/** Files at each point of their way: imported, being imported, checked with the wrong columns, only uploaded. */
async function importFiles(id: string, email: string): Promise<void> {
  const rows = `${email},7,a note about her\nnobody.${email},8,${id}\n`;
  const uid = await checkFile(`email,points,note\n${rows}`, { customer: 0, points: 1, note: 2 });
  expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
  await workImports(service.deps);
  expect((await manager.get(`/imports/${uid}`)).body.data.import).toMatchObject({ good_count: 1, points_added: 7 });
  await checkFile(`points,email,note\n${rows}`, { customer: 2, points: 0 });
  await checkFile(`email,points,note\n${rows}again`, { customer: 0, points: 1, note: 2 });
  expect((await upload({ url: service.url, cookie: manager.cookie }, rows)).status).toBe(201);
  await importCustomers(id, email);
}

/** A file of customers that was checked, and one whose import has begun. */
async function importCustomers(id: string, email: string): Promise<void> {
  const columns = { id: 0, email: 1, name: 2, birthday: 3, name_reading: 4 };
  const person = `${id},${email},${PERSON.name} ${id},${PERSON.birthday},${PERSON.name_reading}\n`;
  await checkFile(
    `id,email,name,birthday,reading\nx${id},x@example.com,${PERSON.name},,\n${person}`,
    columns,
    "customers",
  );
  const uid = await checkFile(`id,email,name,birthday,reading\n${person}`, columns, "customers");
  expect((await manager.post(`/imports/${uid}/start`)).status).toBe(200);
}

/** Uploads a file and runs it dry; answers the import's uid. */
async function checkFile(content: string, columns: object, kind: ImportKind = "points"): Promise<string> {
  const sent = await upload({ url: service.url, cookie: manager.cookie }, content, { kind });
  expect(sent.status, sent.text).toBe(201);
  const { uid } = sent.body.data;
  const started = await manager.post(`/imports/${uid}/check`, settingsOf(sent.body.data, { columns }));
  expect(started.status, started.text).toBe(200);
  await workImports(service.deps);
  return uid;
}

async function deliver(): Promise<void> {
  const ending = new AbortController();
  const running = runDeliveries(service.deps, { signal: ending.signal, exportUrl: (uid) => `http://127.0.0.1/${uid}` });
  await waitUntil(async () => {
    const left = await service.deps.db.query<{ state: string }>(UNACKNOWLEDGED);
    return left.every(({ state }) => state !== "waiting");
  });
  ending.abort();
  await running;
}

test("redaction leaves no trace of the person in any table, and every sum of the ledger", async () => {
  const { client, deps } = service;
  await live("h1", PERSON.email);
  await send("OrderPaid", order("guest", null, PERSON.email));
  await service.drain(); // its points are given before they are counted
  await service.deliver("orders/paid", `{"email": "${PERSON.email}", "broken"`);
  service.clock.advance({ hours: 1 });
  const period = { start_datetime: "2026-02-28", end_datetime: "2026-03-02" };
  expect((await client.post(`${API}/point_balances/export`, period)).status).toBe(202);
  await makeExports(deps);
  await deliver();
  await deps.db.execute(
    `insert into attempt (bucket, delivery_uid, uid, kind, started_at, duration_ms, status, answer_head)
     select bucket, uid, gen_random_uuid(), 'resend', $1, 7, 503, 'too many of ' || payload
     from outbox_event`,
    [service.clock.now()],
  );
  const points = () => deps.db.query("select sum(point_value) as sum from allotment where point_value > 0");
  const given = await points();
  const before = await traces(WORDS);
  for (const table of [
    "acknowledgement",
    "adjustment_request",
    "allotment_note",
    "attempt",
    "customer",
    "export_piece",
    "idempotency",
    "import_fault",
    "import_piece",
    "import_profile",
    "import_row",
    "outbox_event",
    "receipt",
    "store_order",
  ]) {
    expect(
      before.some((trace) => trace.startsWith(`${table}:`)),
      table,
    ).toBe(true);
  }
  await send("CustomerDeleted", { customer_id: "h1", reason: "redacted", orders_to_redact: ["guest"] });
  await service.drain();
  expect(await traces(WORDS)).toEqual([]);
  expect(await points()).toEqual(given);
  expect((await client.get(`${API}/point_balances/h1`)).status).toBe(404);

  await send("OrderPaid", { ...order("o-h1", "h1", PERSON.email), updated_at: "2026-03-01T02:00:00Z" });
  await send("CustomerUpserted", { customer_id: "h1", ...PERSON });
  await service.drain();
  expect((await traces(WORDS)).filter((trace) => !trace.startsWith("receipt:"))).toEqual([]); // what comes later is kept as it came
  await send("CustomerDeleted", { customer_id: "h1", reason: "redacted" }, { delivery_key: "again" });
  await service.drain();
  expect(await traces(WORDS)).toEqual([]);
  expect((await service.receipts()).filter(({ state }) => state !== "done")).toEqual([]);
});

test("the redaction of a merged customer's id forgets that one and spares the survivor; the survivor's forgets both", async () => {
  await live("h2", PERSON.email);
  await live("h3", "other.himitsu@example.com");
  await send("CustomerMerged", { kept_id: "h3", removed_id: "h2" });
  await service.drain();
  await send("CustomerDeleted", { customer_id: "h2", reason: "redacted" });
  await service.drain();
  const survivor = (await service.client.get(`${API}/customers/h2`)).body.data;
  expect(survivor).toMatchObject({ id: "h3", email: "other.himitsu@example.com", name: `${PERSON.name} II` });
  await send("CustomerDeleted", { customer_id: "h3", reason: "redacted" });
  await service.drain();
  expect(await traces(WORDS)).toEqual([]);
});

test("a data request is open until a person has answered it; the answer has everything", async () => {
  const { client, deps } = service;
  await live("h4", PERSON.email);
  await live("h5", "h5@example.com");
  await send("CustomerMerged", { kept_id: "h4", removed_id: "h5" });
  for (const key of ["1", "2"]) {
    await send(
      "CustomerDataRequested",
      { request_id: "9999", customer_id: "h4", orders: ["o-h4"] },
      { delivery_key: key },
    );
  }
  await service.drain();
  expect(await selectOpenRequests(deps.db)).toMatchObject([
    { kind: "customer_data", reference: "9999", storefrontId: "h4" },
  ]);
  const { data } = (await client.get(`${API}/customers/${encodeURIComponent(PERSON.email)}/data`)).body;
  expect(data.customers[0]).toMatchObject({ id: "h4", ...PERSON, name: `${PERSON.name} h4` });
  expect(data.ids).toEqual([{ id: "h4" }, { id: "h5" }]);
  expect(data.orders.map(({ id }: { id: string }) => id)).toEqual(["o-h4", "o-h5"]);
  expect(data.point_allotments.some(({ note }: { note: string | null }) => note === "note about her")).toBe(true);
  expect(data.coupons).toHaveLength(2);
  expect(data.imported_rows).toHaveLength(4);
  expect(data.imported_rows[0]).toMatchObject({ line: 2, points: 7, note: "a note about her" });
  expect(data.rows_to_import[0]).toMatchObject({ line: 3, id: "h4", profile: { email: PERSON.email } });
  const bodies = data.deliveries_received.map(({ body }: { body: string }) => Buffer.from(body, "base64").toString());
  expect(bodies.filter((body: string) => body.includes(PERSON.email)).length).toBeGreaterThan(1);
  expect(data.requests).toHaveLength(1);
  const sum = data.point_allotments.reduce((total: number, row: { point_value: number }) => total + row.point_value, 0);
  expect(sum).toBe(
    data.point_balances.reduce((total: number, row: { ledger_points: number }) => total + row.ledger_points, 0),
  );
  expect((await client.get(`${API}/customers/nobody/data`)).status).toBe(404);
});

test("the whole shop is erased only after a person has confirmed it", async () => {
  const { deps } = service;
  await send("ShopRedacted", { shop_id: "954889" });
  await service.drain();
  expect((await traces(WORDS)).length).toBeGreaterThan(0);
  expect((await selectOpenRequests(deps.db)).map(({ kind }) => kind)).toContain("shop_redaction");
  await importCustomers("nobody", PERSON.email);
  expect(await redactShop(deps, { reference: "954889", by: "test" })).toBeGreaterThan(0);
  await workImports(deps);
  expect(await traces([...WORDS, "h5@example.com"])).toEqual([]);
  expect(await redactShop(deps, { reference: "954889", by: "test" })).toBe(0);
  expect((await selectOpenRequests(deps.db)).map(({ kind }) => kind)).not.toContain("shop_redaction");
});

test("a disabled account keeps its points, earns by orders and may be changed by the store", async () => {
  const { client } = service;
  await send("CustomerUpserted", { customer_id: "d1", account_enabled: false, name: "D" });
  await send("OrderPaid", order("o-d1", "d1", "d1@example.com"));
  await service.drain();
  const balance = async () => (await client.get(`${API}/point_balances/d1`)).body.data.point_balance;
  expect(await balance()).toBe(120);
  expect((await client.post(`${API}/point_allotments`, { customer_id: "d1", point_value: -20 })).status).toBe(200);
  expect((await client.post(`${API}/coupons`, { customer_id: "d1", point_value: 10 })).status).toBe(200);
  expect(await balance()).toBe(90);
  expect((await client.get(`${API}/customers/d1`)).body.data.account_enabled).toBe(false);
});
