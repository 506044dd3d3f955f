import { afterAll, beforeAll, expect, test } from "vitest";
import { processNextReceipt } from "../../../src/intake/process-next-receipt.ts";
import { redactAfterEarlier } from "../../../src/intake/redact-after-earlier.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";

const API = "/api/storefront";
const ERASED = "ann.other@example.co";
const OTHERS = ["joann.other@example.co", "ann.other@example.com", "x+ann.other@example.co"];

let service: IntakeService;
beforeAll(async () => {
  service = await startIntakeService({ log: () => {}, program: { store: { currency: "JPY" } } });
});
afterAll(() => service.stop());

async function tell(type: string, payload: object): Promise<void> {
  await service.client.post("/intake/events", { type, occurred_at: service.deps.clock.now().toString(), payload });
  await service.drain();
}

const setBalance = (address: string) =>
  service.client.post(
    `${API}/point_balances/${encodeURIComponent(address)}/set_balances`,
    { balance: 100 },
    { "idempotency-key": `set-${address}` },
  );

test("erasing a person keeps the answers of others whose addresses contain theirs, so that no request runs twice", async () => {
  const { client, deps } = service;
  for (const email of [ERASED, ...OTHERS]) {
    await tell("CustomerUpserted", { customer_id: `id-${email}`, email });
    expect((await setBalance(email)).status).toBe(200);
  }
  await tell("CustomerDeleted", { customer_id: `id-${ERASED}`, reason: "redacted" });
  const kept = await deps.db.query<{ key: string }>("select key from idempotency order by created_at, key");
  expect(kept.map(({ key }) => key).sort()).toEqual(OTHERS.map((email) => `set-${email}`).sort());
  for (const email of OTHERS) {
    await client.post(`${API}/point_allotments`, { customer_id: email, point_value: -40 });
    expect((await setBalance(email)).headers.get("idempotent-replayed")).toBe("true");
    const balance = await client.get(`${API}/point_balances/${encodeURIComponent(email)}`);
    expect(balance.body.data.point_balance).toBe(60);
  }
});

test("erasing a person keeps unreadable deliveries of others whose addresses contain theirs: a later version may read them", async () => {
  const { deps } = service;
  const email = "ann.unread@example.co";
  await tell("CustomerUpserted", { customer_id: "unread", email });
  const own = [
    `"${email}"`,
    `"山田${email}山"`,
    `"Ann \\u003c${email}\\u003e"`,
    `"by\\n${email}."`,
    `"${email.toUpperCase()}"`,
  ];
  const others = ["jo", "x+", "1"].map((part) => `"${part}${email}"`).concat([`"${email}m"`, `"${email}.jp"`]);
  for (const text of [...own, ...others]) {
    expect((await service.deliver("orders/paid", `{"email": ${text}, "broken"`)).status).toBe(200);
  }
  await tell("CustomerDeleted", { customer_id: "unread", reason: "redacted" });
  const left = await deps.db.query<{ body: Buffer }>(
    "select body from receipt where state = 'quarantined' order by uid",
  );
  expect(left.map(({ body }) => body.toString())).toEqual(others.map((text) => `{"email": ${text}, "broken"`));
});

test("a redaction that states the address erases it also of who was deleted before", async () => {
  const { deps } = service;
  const [email, id] = ["ann.deleted@example.co", "deleted-before"];
  await tell("CustomerUpserted", { customer_id: id, email });
  await tell("CustomerDeleted", { customer_id: id });
  await tell("OrderPlaced", { order_id: "order-guest", email, processed_at: deps.clock.now().toString() });
  const waiting = () => deps.db.query("select from store_order where email = $1", [email]);
  expect(await waiting()).toHaveLength(1);
  await tell("CustomerDeleted", { customer_id: id, reason: "redacted", email: email.toUpperCase() });
  expect(await waiting()).toEqual([]);
});

/** The addresses of unreadable deliveries that are still stored, in the order of arrival. */
async function unreadOf(...emails: string[]): Promise<string[]> {
  const rows = await service.deps.db.query<{ body: Buffer }>(
    "select body from receipt where state = 'quarantined' and body is not null order by uid",
  );
  return emails.filter((email) => rows.some(({ body }) => body.toString().includes(`"${email}"`)));
}

test("a redaction leaves answers and unread deliveries under an address that another customer has by now", async () => {
  const { client, deps } = service;
  const [email, placed, id] = ["ann.again@example.co", "ann.placed@example.co", "gone-again"];
  await tell("CustomerUpserted", { customer_id: id, email });
  const order = { order_id: "order-again", customer_id: id, email: placed };
  await tell("OrderPlaced", { ...order, processed_at: deps.clock.now().toString() });
  await tell("CustomerDeleted", { customer_id: id });
  const registered = [email, placed];
  for (const address of registered) {
    await tell("CustomerUpserted", { customer_id: `new-${address}`, email: address });
    await service.deliver("orders/paid", `{"email": "${address}", "broken"`);
    expect((await setBalance(address)).status).toBe(200);
    await client.post(`${API}/point_allotments`, { customer_id: address, point_value: -40 });
  }
  await tell("CustomerDeleted", { customer_id: id, reason: "redacted", email, orders_to_redact: ["order-again"] });
  for (const address of registered) {
    expect((await setBalance(address)).headers.get("idempotent-replayed")).toBe("true");
    expect(await pointsOf(`new-${address}`)).toBe(60);
  }
  expect(await unreadOf(...registered)).toEqual(registered);
});

test("a redaction of who was merged erases the address that it states, unless the survivor has it", async () => {
  const { deps } = service;
  const { id, kept } = await mergedPair("stated");
  const [own, survivors] = ["ann.stated@example.co", "bob.stated@example.co"];
  await tell("CustomerUpserted", { customer_id: kept, email: survivors });
  await tell("OrderPlaced", { order_id: "order-stated", email: own, processed_at: deps.clock.now().toString() });
  for (const email of [own, survivors]) await service.deliver("orders/paid", `{"email": "${email}", "broken"`);
  for (const email of [own, survivors]) await tell("CustomerDeleted", { customer_id: id, reason: "redacted", email });
  expect(await unreadOf(own, survivors)).toEqual([survivors]);
  expect(await deps.db.query("select from store_order where email = $1", [own])).toEqual([]);
});

test.each(["due", "failed", "failed and the command redacts"])(
  "a redaction that names no order leaves what is %s of the customer's orders: a merge gives it to somebody",
  async (what) => {
    const { deps } = service;
    const ending = `unnamed-${what.replaceAll(" ", "-")}`;
    const [id, kept, orderId] = [`gone-${ending}`, `kept-${ending}`, `order-${ending}`] as const;
    for (const customer_id of [id, kept]) await tell("CustomerUpserted", { customer_id });
    const order = { order_id: orderId, customer_id: id, email: "a.person@example.co" };
    const lines = [
      { line_id: "1", quantity: 1, unit_price: { minor: 700, currency: "JPY" }, requires_shipping: false },
    ];
    const sale = { ...order, processed_at: deps.clock.now().toString(), shop_currency: "JPY", lines };
    await tell("OrderPlaced", { ...sale, financial_status: "pending" });
    await send("OrderPaid", { ...sale, financial_status: "paid" });
    const failed = "state = 'failed', attempts = 5, note = 'a reason'";
    await setReceipts(`order/${orderId}`, what === "due" ? "due_at = now() + interval '10 minutes'" : failed);
    if (what === "failed and the command redacts")
      await redactAfterEarlier(deps, { customerId: id, appReference: "pointkeeper" });
    else await tell("CustomerDeleted", { customer_id: id, reason: "redacted" });
    await setReceipts(`customer/${id}`, "due_at = now()");
    await service.drain();
    await tell("CustomerMerged", { kept_id: kept, removed_id: id });
    for (const subject of [`order/${orderId}`, `customer/${id}`]) {
      await setReceipts(subject, "due_at = now()");
      await service.drain();
    }
    expect(await pointsOf(kept)).toBe(7);
  },
);

test.each(["was merged", "was somebody else"])(
  "a redaction of who %s ends nothing that others still get",
  async (who) => {
    const { client, deps } = service;
    const ending = who.replaceAll(" ", "-");
    const [id, kept, orderId] = [`gone-${ending}`, `kept-${ending}`, `order-${ending}`] as const;
    for (const customer_id of [id, kept]) await tell("CustomerUpserted", { customer_id });
    if (who === "was merged") await tell("CustomerMerged", { kept_id: kept, removed_id: id });
    const receiver = who === "was merged" ? id : kept;
    const due = (subject: string, when: string) =>
      deps.db.execute(`update receipt set due_at = now() + $2::interval where state = 'new' and subject = $1`, [
        subject,
        when,
      ]);
    const send = (type: string, payload: object) =>
      client.post("/intake/events", { type, occurred_at: deps.clock.now().toString(), payload });
    const lines = [
      { line_id: "1", quantity: 1, unit_price: { minor: 700, currency: "JPY" }, requires_shipping: false },
    ];
    const order = { order_id: orderId, customer_id: receiver, email: "a.person@example.co", financial_status: "paid" };
    await send("OrderPaid", { ...order, processed_at: deps.clock.now().toString(), shop_currency: "JPY", lines });
    await due(`order/${orderId}`, "10 minutes"); // as after a failure
    await tell("CustomerDeleted", { customer_id: id, reason: "redacted", orders_to_redact: [orderId] });
    expect((await service.receipts()).at(-1)).toMatchObject({
      state: "new",
      attempts: 0,
      note: expect.stringMatching("first"),
    });
    for (const subject of [`order/${orderId}`, `customer/${id}`]) {
      await due(subject, "0 minutes");
      await service.drain();
    }
    expect((await client.get(`${API}/point_balances/${kept}`)).body.data.point_balance).toBe(7);
    const left = "select from receipt where subject = any($1) and (state <> 'done' or body is not null)";
    expect(await deps.db.query(left, [[`order/${orderId}`, `customer/${id}`]])).toEqual([]);
    expect(await deps.db.query("select email from store_order where order_id = $1", [orderId])).toEqual([
      { email: null },
    ]);
  },
);

async function send(type: string, payload: object): Promise<void> {
  const event = { type, occurred_at: service.deps.clock.now().toString(), payload };
  const sent = await service.client.post("/intake/events", event);
  expect(sent.status, sent.text).toBe(202);
}

/** Sets what a subject's receipts that are not done say, as their processing does. */
const setReceipts = (subject: string, values: string) =>
  service.deps.db.execute(`update receipt set ${values} where state <> 'done' and subject = $1`, [subject]);

const pointsOf = async (id: string) =>
  (await service.client.get(`${API}/point_balances/${id}`)).body.data.point_balance;

/** Makes a customer who was merged into another, and the latter. */
async function mergedPair(name: string): Promise<{ id: string; kept: string }> {
  const [id, kept] = [`gone-${name}`, `kept-${name}`];
  for (const customer_id of [id, kept]) await tell("CustomerUpserted", { customer_id });
  await tell("CustomerMerged", { kept_id: kept, removed_id: id });
  return { id, kept };
}

test("a redaction has what failed before it tried once more, then ends it", async () => {
  const { deps } = service;
  const { id, kept } = await mergedPair("failed");
  const lines = [{ line_id: "1", quantity: 1, unit_price: { minor: 700, currency: "JPY" }, requires_shipping: false }];
  const paid = { customer_id: id, email: "a.person@example.co", financial_status: "paid", shop_currency: "JPY", lines };
  const orders = ["order-passing", "order-broken"];
  for (const order_id of orders) {
    await send("OrderPaid", { order_id, ...paid, processed_at: deps.clock.now().toString() });
    await setReceipts(`order/${order_id}`, "state = 'failed', attempts = 5, note = 'a reason'");
  }
  await send("CustomerDeleted", { customer_id: id, reason: "redacted", orders_to_redact: orders });
  expect(await processNextReceipt(deps, `customer/${id}`)).toBe("processed");
  await setReceipts("order/order-broken", "state = 'failed', attempts = 5"); // all tries again
  await service.drain();
  await setReceipts(`customer/${id}`, "due_at = now()");
  await service.drain();
  expect(await pointsOf(kept)).toBe(7);
  const left = "select from receipt where subject = any($1) and (state <> 'done' or body is not null)";
  expect(await deps.db.query(left, [[`customer/${id}`, ...orders.map((order) => `order/${order}`)]])).toEqual([]);
});

test("a redaction leaves what arrives after it about its customer's id, which a merge gave to somebody", async () => {
  const { id, kept } = await mergedPair("later");
  const redaction = { customer_id: id, reason: "redacted", orders_to_redact: ["order-later"] };
  await send("CustomerDeleted", redaction);
  await send("FlowAdjustRequested", { run_id: "run-later", customer: { id }, point_value: 50 });
  const flow = "update receipt set due_at = now() + $1::interval where topic = 'FlowAdjustRequested' and state = 'new'";
  await service.deps.db.execute(flow, ["10 minutes"]); // as after a failure
  await service.drain();
  await service.deps.db.execute(flow, ["0 minutes"]);
  await service.drain();
  expect(await pointsOf(kept)).toBe(50);
});

test("a redaction comes after what arrived about who was merged into its customer, and erases that", async () => {
  const { id, kept } = await mergedPair("joined");
  await send("CustomerUpserted", { customer_id: id, name: "Ann Joined" });
  await setReceipts(`customer/${id}`, "due_at = now() + interval '2 minutes', attempts = 4"); // as before the last try
  await tell("CustomerDeleted", { customer_id: kept, reason: "redacted" });
  await setReceipts(`customer/${id}`, "state = 'failed', attempts = 5");
  await setReceipts(`customer/${kept}`, "due_at = now()");
  await service.drain();
  const left = "select from receipt where subject = any($1) and (state <> 'done' or body is not null)";
  expect(await service.deps.db.query(left, [[`customer/${id}`, `customer/${kept}`]])).toEqual([]);
});

test("the command's redaction comes after what arrived before it, whether the service runs or not", async () => {
  const { id, kept } = await mergedPair("by-command");
  await send("FlowAdjustRequested", { run_id: "run-command", customer: { id }, point_value: 50 });
  await redactAfterEarlier(service.deps, { customerId: id, appReference: "pointkeeper" });
  expect(await pointsOf(kept)).toBe(50);
  const bodies = "select from receipt where subject = $1 and body is not null";
  expect(await service.deps.db.query(bodies, [`customer/${id}`])).toEqual([]);
});

test("the command's redaction does not wait for a platform's, which waits for an order that only the service processes", async () => {
  const { deps } = service;
  const id = "gone-behind";
  await tell("CustomerUpserted", { customer_id: id, email: "ann.behind@example.co" });
  await send("OrderPlaced", { order_id: "order-behind", processed_at: deps.clock.now().toString() });
  await send("CustomerDeleted", { customer_id: id, reason: "redacted", orders_to_redact: ["order-behind"] });
  await redactAfterEarlier(deps, { customerId: id, appReference: "pointkeeper" });
  expect(await deps.db.query("select from customer where email = 'ann.behind@example.co'")).toEqual([]);
  await service.drain();
});

test("the command's redaction ends when its time is over, names what it waits for, and has erased nothing", async () => {
  const { deps } = service;
  const id = "gone-not-yet";
  await tell("CustomerUpserted", { customer_id: id, email: "ann.yet@example.co" });
  await send("CustomerUpserted", { customer_id: id, name: "Ann" });
  const redaction = redactAfterEarlier(deps, { customerId: id, appReference: "pointkeeper" }, 0);
  await expect(redaction).rejects.toThrow(`about customer/${id} is still`);
  expect(await deps.db.query("select from customer where email = 'ann.yet@example.co'")).toHaveLength(1);
  await service.drain();
});
