import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { CustomerPatch } from "../../../src/customers/customer.ts";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import { upsertCustomer } from "../../../src/customers/upsert-customer.ts";
import { bucketOf } from "../../../src/ledger/customer-ref.ts";
import { verifyLedger } from "../../../src/ledger/verify-ledger.ts";
import { startReceiver, type TestReceiver } from "../../support/receiver.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
let receiver: TestReceiver;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  receiver = await startReceiver();
  const subscription = { topic: "point_balance/update", callback_url: receiver.url };
  expect((await service.client.post("/api/storefront/webhooks", subscription)).status).toBe(200);
});
afterAll(async () => {
  await receiver.close();
  await service.stop();
});

let count = 0;
let id = "";
beforeEach(() => {
  id = `flow-${++count}`;
});

const upsert = (patch: Partial<CustomerPatch>) =>
  service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId: id, ...patch }));

const award = (pointValue: number) =>
  service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: pointValue });

/** The `point_balance/update` bodies published for the customer, in their order. */
async function updates(): Promise<{ name: string | null; balance: number }[]> {
  const rows = await service.deps.db.query<{ payload: string }>(
    `select e.payload
     from outbox_event e
     join customer_alias a on a.customer_uid = e.customer_uid
     where a.storefront_id = $1 and e.topic = 'point_balance/update'
     order by e.uid`,
    [id],
  );
  return rows.map(({ payload }) => JSON.parse(payload));
}

describe("a customer whose id is an e-mail", () => {
  const balances = "/api/storefront/point_balances";

  test("is named by it, in its own case, wherever a customer is named", async () => {
    id = `Flow-${count}@ids.example`;
    await upsert({ name: "Hana" });
    expect((await award(120)).status).toBe(200);
    const path = encodeURIComponent(id);
    const set = await service.client.post(`${balances}/${path}/set_balances`, { balance: 80 });
    expect([set.status, set.body.data.point_balance.id]).toEqual([200, id]);
    expect((await service.client.get(`${balances}/${path}`)).body.data.point_balance).toBe(80);
    expect((await service.client.put(`/api/storefront/customers/${path}`, { name: "Hanako" })).status).toBe(200);
    for (const part of ["/tier", "/expiries", "/explanation"])
      expect((await service.client.get(`${balances}/${path}${part}`)).status).toBe(200);
    expect((await service.client.get(`/api/storefront/customers/${path}/data`)).status).toBe(200);
    const allotments = await service.client.get(`/api/storefront/point_allotments/${path}`);
    expect(allotments.body.data).toHaveLength(2);
  });

  test("is not taken for somebody else who holds it as an e-mail", async () => {
    const email = `flow-${count}@ids.example`;
    await upsert({ email });
    id = email;
    const { customer } = await upsert({ name: "Hana" });
    const refused = await award(120);
    expect([refused.status, refused.body.errors[0].code]).toEqual([409, "ambiguous_email"]);
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, id, "test"));
    expect((await award(120)).body.data.point_balance.id).not.toBe(customer.storefrontId);
  });
});

describe("a customer of the platform", () => {
  test("is made once, with alias and balance, however many events bring it at once", async () => {
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => upsert({ name: `Name ${n}` })));
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    const uids = new Set(results.map(({ customer }) => customer.customerUid));
    expect(uids.size).toBe(1);
    const [uid = ""] = uids;
    const rows = await service.deps.db.query("select bucket, version from balance where customer_uid = $1", [uid]);
    expect(rows).toEqual([{ bucket: bucketOf(uid), version: 0n }]);
  });

  test("tells no update when it is created, and one for each cause", async () => {
    await upsert({ name: "Hanako", birthday: "1988-04-12", acceptsMarketing: true, email: "a@b.c" });
    expect(await updates()).toEqual([]);
    await upsert({ name: "Hanako", acceptsMarketing: true });
    await upsert({ email: "d@b.c", tags: ["vip"], accountEnabled: true, acceptsMarketing: false });
    expect(await updates()).toEqual([]);
    await upsert({ name: "Hana", birthday: "1988-04-13", acceptsMarketing: true });
    expect(await updates()).toMatchObject([
      { name: "Hana", birthday: "1988-04-13", accepts_marketing: true, account_enabled: true, balance: 0 },
    ]);
    await upsert({ acceptsMarketing: false });
    await upsert({ acceptsMarketing: true });
    expect(await updates()).toHaveLength(2);
  });

  test("has an active balance once the account is enabled, when it has points that were earned", async () => {
    await upsert({ accountEnabled: false });
    await upsert({ accountEnabled: true });
    await upsert({ accountEnabled: false });
    expect(await updates()).toEqual([]);
    await award(30);
    expect(await updates()).toHaveLength(1);
    await upsert({ accountEnabled: true });
    await upsert({ accountEnabled: true });
    expect(await updates()).toMatchObject([{ account_enabled: false }, { account_enabled: true, balance: 30 }]);
  });

  test("tells nothing for a version older than what is known", async () => {
    const [newer, older] = ["2026-02-02T00:00:00Z", "2026-02-01T00:00:00Z"].map((at) => Temporal.Instant.from(at));
    await upsert({ name: "New", profileAt: newer });
    const { customer, changed } = await upsert({ name: "Old", profileAt: older });
    expect([customer.name, changed]).toEqual(["New", []]);
    expect(await updates()).toEqual([]);
  });

  test("leaves nothing behind in a transaction that fails", async () => {
    const failing = service.deps.db.tx(async (tx) => {
      await upsertCustomer(tx, service.deps, { storefrontId: id, name: "Hanako" });
      throw new Error("on purpose");
    });
    await expect(failing).rejects.toThrow("on purpose");
    expect((await service.client.get(`/api/storefront/customers/${id}`)).status).toBe(404);
    expect((await upsert({})).created).toBe(true);
  });
});

describe("a customer whom the platform deletes", () => {
  const erase = () => service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, id, "test"));

  test("loses points and person once, and stays deleted whatever comes late", async () => {
    await upsert({ name: "Hanako", nameReading: "はなこ", email: "gone@example.com" });
    await award(40);
    await erase();
    await erase();
    const nobody = { name: null, nameReading: null, email: null };
    expect((await upsert({ name: "Back again" })).customer).toMatchObject(nobody);
    for (const path of [`customers/${id}`, "customers/gone@example.com", `point_balances/${id}`]) {
      expect((await service.client.get(`/api/storefront/${path}`)).status).toBe(404);
    }
    expect((await service.client.put(`/api/storefront/customers/${id}`, { name: "Back" })).status).toBe(404);
    const rows = await service.deps.db.query(
      `select a.type, a.point_value, a.balance_after
       from allotment a
       join customer_alias c on c.customer_uid = a.customer_uid
       where c.storefront_id = $1
       order by a.version`,
      [id],
    );
    expect(rows).toEqual([
      { type: "api", point_value: 40n, balance_after: 40n },
      { type: "deletion", point_value: -40n, balance_after: 0n },
    ]);
  });

  test("without points has no allotment; known or not before", async () => {
    await erase();
    expect((await upsert({ name: "Late" })).customer.name).toBeNull();
    const [row] = await service.deps.db.query("select count(*) from allotment where source_key like 'deletion/%'");
    const faults: string[] = [];
    expect((await verifyLedger(service.deps.db, (line) => faults.push(line))).ok, faults.join("\n")).toBe(true);
    expect(row).toEqual({ count: 1n });
  });
});
