import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, adminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";

let service: TestService;
let support: AdminClient;
let viewer: AdminClient;
const logged: string[] = [];

const shipment = (id: string) => ({
  type: "OrderFulfilled",
  delivery_key: `shipment ${id}`,
  payload: { order_id: id, fulfillment: { fulfillment_id: `S-${id}`, lines: [] } },
});
const customer = (id: string) => ({
  type: "CustomerUpserted",
  payload: { customer_id: id, email: `${id}@example.com` },
});

beforeAll(async () => {
  service = await startTestService({ logLevel: "warn", log: (line) => logged.push(line) });
  [support, viewer] = [await signIn(service, "support"), await signIn(service, "viewer")];
  const events = [shipment("A-1"), shipment("A-2"), customer("c1")];
  await service.client.post("/intake/events", events, { prefer: "wait=10" });
  await waitUntil(async () => (await pageOf("state=new")).data.length === 0);
});
afterAll(() => service.stop());

const pageOf = async (query: string) => (await viewer.get(`/intake/receipts?${query}`)).body;
const countOf = async (query: string) => (await viewer.get(`/intake/receipts/count?${query}`)).body.data;
const subjectsOf = async (query: string) =>
  (await pageOf(query)).data.map((row: { subject: string }) => row.subject).sort();

test("receipts are listed by state, topic and subject", async () => {
  expect(await subjectsOf("")).toEqual(["customer/c1", "order/A-1", "order/A-2"]);
  expect(await subjectsOf("state=waiting")).toEqual(["order/A-1", "order/A-2"]);
  expect(await subjectsOf("state=done")).toEqual(["customer/c1"]);
  expect(await subjectsOf("topic=CustomerUpserted")).toEqual(["customer/c1"]);
  expect(await subjectsOf("subject=A-1")).toEqual(["order/A-1"]);
  expect(await subjectsOf("subject=customer/c1&state=done")).toEqual(["customer/c1"]);
  expect(await subjectsOf("subject=c1&state=failed")).toEqual([]);
  for (const query of ["", "state=waiting", "state=done&topic=CustomerUpserted", "subject=A-1", "warned=yes"])
    expect([query, (await countOf(query)).count]).toEqual([query, (await subjectsOf(query)).length]);
  expect((await viewer.get("/intake/summary")).body.data).toMatchObject({
    new: 0,
    waiting: 2,
    failed: 0,
    topics: ["CustomerUpserted", "OrderFulfilled"],
  });
  for (const [query, parameter] of [
    ["state=lost", "state"],
    ["after=x", "after"],
  ]) {
    const { status, body } = await viewer.get(`/intake/receipts?${query}`);
    expect([status, body.errors[0].source]).toEqual([422, { parameter }]);
  }
});

test("what a receipt said is for support and up", async () => {
  const [row] = (await pageOf("subject=c1")).data;
  const one = async (client: AdminClient) => (await client.get(`/intake/receipts/${row.uid}`)).body.data;
  expect(JSON.parse((await one(support)).payload).payload).toMatchObject({ email: "c1@example.com" });
  expect(await one(viewer)).toMatchObject({
    payload: null,
    headers: null,
    customer: { id: "c1", name: null, email: "c1@example.com" },
    order: null,
  });
  expect((await one(viewer)).payload_bytes).toBeGreaterThan(10);
  expect((await viewer.get("/intake/receipts/019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884")).status).toBe(404);
});

test("one is processed once more, by support and up", async () => {
  const [row] = (await pageOf("subject=A-1")).data;
  const path = `/intake/receipts/${row.uid}/reprocess`;
  expect((await viewer.post(path, {})).status).toBe(403);
  expect((await support.post(path, {})).body.data).toEqual({ uid: row.uid, state: "new" });
  await waitUntil(async () => (await pageOf("subject=A-1")).data[0].state === "waiting");
});

test("all that failed are processed once more, piece by piece", async () => {
  await service.deps.db.execute("update receipt set state = 'failed', attempts = 5 where state = 'waiting'");
  expect((await viewer.post("/intake/reprocess", { state: "failed" })).status).toBe(403);
  expect((await support.post("/intake/reprocess", { state: "done" })).status).toBe(422);
  const { body } = await support.post("/intake/reprocess", { state: "failed" });
  expect(body.data).toEqual({ reprocessed: 2, next: null });
  await waitUntil(async () => (await pageOf("state=waiting")).data.length === 2);
  const entries = await service.deps.db.query(
    "select action, after from audit_entry where action = 'receipts.reprocessed'",
  );
  expect(entries).toEqual([{ action: "receipts.reprocessed", after: { reprocessed: 2 } }]);
});

test("pages follow one another without a gap", async () => {
  await service.client.post(
    "/intake/events",
    Array.from({ length: 60 }, (_, i) => customer(`many-${i}`)),
  );
  const first = await pageOf("topic=CustomerUpserted");
  const second = await pageOf(`topic=CustomerUpserted&after=${first.next}`);
  const uids = [...first.data, ...second.data].map((row: { uid: string }) => row.uid);
  expect([new Set(uids).size, second.next]).toEqual([61, null]);
  expect(uids).toEqual(uids.toSorted().reverse());
  expect(await countOf("topic=CustomerUpserted")).toEqual({ count: 61, counted_to: 10_000 });
});

test("a list whose rows are not found in time is ended by itself, and has no total where they are not counted in time", async () => {
  const limits = { ...service.deps.config.limits, countMs: 100 };
  const hasty = await startTestService({ worker: false, database: service.database, config: { limits } });
  const held = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const holding = service.deps.db.tx(async (tx) => {
    await tx.execute("lock table receipt in access exclusive mode");
    locked.resolve();
    await held.promise;
  });
  await locked.promise;
  const patient = countOf("topic=CustomerUpserted"); // the other tests' service counts as long as a slow machine takes
  const [answer, total] = await Promise.all([
    viewer.get("/intake/receipts?topic=CustomerUpserted"),
    adminClient(hasty.url, viewer.cookie).get("/intake/receipts/count?topic=CustomerUpserted"),
  ]);
  held.resolve();
  const [counted] = await Promise.all([patient, holding, hasty.stop()]);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "2"]);
  expect(total.body.data).toEqual({ count: null, counted_to: 10_000 });
  expect(counted).toEqual({ count: 61, counted_to: 10_000 });
  expect(logged.join("")).toContain("statement timeout");
});
