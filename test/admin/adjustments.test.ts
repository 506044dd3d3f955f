import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { AdjustmentBody, TimelineEntry } from "../../src/admin/customers/schema.ts";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import type { Tx } from "../../src/db/pool.ts";
import { behind } from "../support/behind.ts";
import { customerWithPoints, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

let service: TestService;
let support: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  support = await signIn(service, "support");
});
afterAll(() => stopVerified(service));

/** Days pass, and with them the session. */
async function later(days: number): Promise<void> {
  service.clock.advance({ hours: 24 * days });
  support = await signIn(service, "support");
}

const customerWith = (points: number) => customerWithPoints(service, points);

function adjust(id: string, wanted: Partial<AdjustmentBody>, by = support) {
  return by.post(`/customers/${id}/adjustments`, { request_uid: randomUUID(), ...wanted });
}

/** The status of what is asked while a transaction with the work is still open. */
async function behindWork(work: (tx: Tx) => Promise<unknown>, ask: () => ReturnType<typeof adjust>) {
  return (await behind(service.deps.db, work, ask)).status;
}

async function timeline(id: string): Promise<TimelineEntry[]> {
  return (await support.get(`/customers/${id}/ledger`)).body.data;
}

async function balance(id: string) {
  return (await support.get(`/customers/${id}`)).body.data;
}

describe("adjusting points", () => {
  test("adds them under the person's name, with reason, note and origin", async () => {
    const id = await customerWith(100);
    const wanted = {
      point_value: 50,
      reason_type: "compensation",
      note: "遅延のお詫び",
      origin: "compensation",
    } as const;
    const { status, body } = await adjust(id, wanted);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ state: "posted", point_value: 50, balance: 150, request_uid: null });
    const [row] = await timeline(id);
    expect(row).toMatchObject({
      uid: body.data.allotment_uid,
      type: "manual",
      point_value: 50,
      balance_after: 150,
      app_reference: "dashboard",
      reason_type: "compensation",
      note: "遅延のお詫び",
      origin: "compensation",
      actor: expect.stringContaining("support"),
      extends_expiration: false,
      can_undo: true,
    });
    const audited = await service.deps.db.query(
      "select actor_kind as kind, actor_id as id, after from audit_entry where action = 'points.adjusted' and subject_id = $1",
      [id],
    );
    expect(audited).toMatchObject([{ kind: "staff", id: support.uid, after: { point_value: 50 } }]);
  });

  test("is done once for a form, however often it is sent", async () => {
    const id = await customerWith(100);
    const request_uid = randomUUID();
    const answers = await Promise.all([1, 2, 3, 4].map(() => adjust(id, { request_uid, point_value: -30 })));
    const again = await adjust(id, { request_uid: request_uid.toUpperCase(), point_value: -30 });
    for (const { status, body } of [...answers, again]) {
      expect(status).toBe(200);
      expect(body.data).toEqual(answers[0]?.body.data);
    }
    expect((await timeline(id)).map(({ point_value }) => point_value)).toEqual([-30, 100]);
    const other = await adjust(id, { request_uid, point_value: -31 });
    expect(other.status).toBe(422);
    const entries = await service.deps.db.query(
      "select from audit_entry where action = 'points.adjusted' and subject_id = $1",
      [id],
    );
    expect(entries.length).toBe(1);
  });

  test("a form that is sent again with another change is refused, and the first one again is not", async () => {
    const id = await customerWith(100);
    const held = { customer_id: id, point_value: 30, ttl_seconds: 600 };
    expect((await service.client.post("/api/storefront/reservations", held)).status).toBeLessThan(300);
    const [set, added] = [randomUUID(), randomUUID()];
    expect((await adjust(id, { request_uid: set, balance: 200 })).body.data).toMatchObject({ point_value: 130 });
    expect((await adjust(id, { request_uid: added, point_value: 50 })).body.data).toMatchObject({ balance: 250 });
    const statuses = async (request_uid: string, changes: readonly Partial<AdjustmentBody>[]) =>
      await Promise.all(changes.map(async (change) => (await adjust(id, { request_uid, ...change })).status));
    const others = [{ balance: 230 }, { balance: 300 }, { point_value: 130 }];
    expect(await statuses(set, [{ balance: 200 }, ...others])).toEqual([200, 422, 422, 422]);
    const ofAdded = [{ balance: 250 }, { balance: 280 }, { point_value: 51 }];
    expect(await statuses(added, [{ point_value: 50 }, ...ofAdded])).toEqual([200, 422, 422, 422]);
    expect((await timeline(id)).map(({ point_value }) => point_value)).toEqual([50, 130, 100]);
  });

  test("takes no more than is available, and says so", async () => {
    const id = await customerWith(100);
    const held = { customer_id: id, point_value: 80, ttl_seconds: 600 };
    expect((await service.client.post("/api/storefront/reservations", held)).status).toBeLessThan(300);
    const refused = await adjust(id, { point_value: -21 });
    expect(refused.status).toBe(400);
    expect(refused.body.errors[0]).toMatchObject({
      title: "Point allotment would result in a negative balance",
      code: "negative_balance",
      detail: expect.stringContaining("available"),
      source: { pointer: "/point_value" },
    });
    expect((await adjust(id, { point_value: -20 })).body.data.balance).toBe(0);
  });

  test("gives nothing to a customer whose deletion was first", async () => {
    const id = await customerWith(100);
    const status = await behindWork(
      (tx) => deleteCustomer(tx, service.deps, id, "test"),
      () => adjust(id, { point_value: 50 }),
    );
    expect(status).toBe(404);
    const sums = await service.deps.db.query(
      `select b.ledger_points as points
from customer c
join balance b on b.bucket = c.bucket and b.customer_uid = c.customer_uid
where c.storefront_id = $1`,
      [id],
    );
    expect(sums).toEqual([{ points: 0n }]);
  });

  test("is not done for another customer by the same form", async () => {
    const [one, other] = [await customerWith(100), await customerWith(100)];
    const request_uid = randomUUID();
    expect((await adjust(one, { request_uid, point_value: 50 })).status).toBe(200);
    expect((await adjust(other, { request_uid, point_value: 50 })).status).toBe(422);
    expect(await timeline(other)).toHaveLength(1);
    const set = { request_uid: randomUUID(), balance: 170 };
    expect((await adjust(one, set)).body.data).toMatchObject({ point_value: 20 });
    await mergeInto(service.deps, one, other);
    expect((await adjust(other, { request_uid, point_value: 50 })).body.data).toMatchObject({ state: "posted" });
    expect((await adjust(other, set)).body.data).toMatchObject({ point_value: 20, balance: 270 });
  });

  test("sets the balance, as it is when it is written", async () => {
    const id = await customerWith(100);
    await adjust(id, { balance: 250 });
    await adjust(id, { balance: 40 });
    await adjust(id, { balance: 40 });
    expect((await timeline(id)).map(({ point_value }) => point_value)).toEqual([0, -210, 150, 100]);
  });

  test("two at once never go below zero", async () => {
    const id = await customerWith(100);
    const answers = await Promise.all([1, 2, 3].map(() => adjust(id, { point_value: -60 })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400]);
    expect((await balance(id)).balance.available).toBe(40);
  });

  test.each([
    [{ point_value: 0 }, "/point_value"],
    [{ point_value: 1.5 }, "/point_value"],
    [{ point_value: "5" }, "/point_value"],
    [{}, "/point_value"],
    [{ point_value: 5, balance: 5 }, "/point_value"],
    [{ balance: -1 }, "/balance"],
    [{ point_value: 5, note: "x".repeat(256) }, "/note"],
    [{ point_value: 5, reason_type: "because" }, "/reason_type"],
    [{ point_value: 5, origin: "gift" }, "/origin"],
    [{ point_value: 5, request_uid: "1" }, "/request_uid"],
    [{ point_value: 5, actor: "me" }, "/actor"],
  ])("%j is refused at %s, and nothing is written", async (wanted, pointer) => {
    const id = await customerWith(10);
    // cast: what a form could not send is the point
    const { status, body } = await adjust(id, wanted as Partial<AdjustmentBody>);
    expect([status, body.errors[0].source.pointer]).toEqual([422, pointer]);
    expect(await timeline(id)).toHaveLength(1);
  });

  test("viewers may not, not even look ahead", async () => {
    const viewer = await signIn(service, "viewer");
    const id = await customerWith(10);
    expect((await adjust(id, { point_value: 5 }, viewer)).status).toBe(403);
    expect((await viewer.get(`/customers/${id}/adjustment-preview?point_value=5`)).status).toBe(403);
    expect((await adjust("nobody", { point_value: 5 })).status).toBe(404);
  });
});

describe("the preview", () => {
  test("says the balance and the expiry that come of it, and writes nothing", async () => {
    const id = await customerWith(100);
    const { expires_at: before } = (await balance(id)).balance;
    await later(40);
    const preview = async (query: string) =>
      (await support.get(`/customers/${id}/adjustment-preview?${query}`)).body.data;
    const extending = await preview("point_value=50&extends_expiration=true");
    expect(extending).toMatchObject({ balance_before: 100, balance_after: 150, expires_before: before });
    expect(extending.expires_after > before).toBe(true);
    expect(await preview("point_value=50")).toMatchObject({ balance_after: 150, expires_after: before });
    expect(await preview("balance=20")).toMatchObject({ point_value: -80, balance_after: 20, refusal: null });
    expect(await preview("point_value=-101")).toMatchObject({ balance_after: 100, refusal: "negative_balance" });
    expect(await timeline(id)).toHaveLength(1);
    const posted = await adjust(id, { point_value: 50, extends_expiration: true });
    expect(posted.body.data).toMatchObject({ balance: 150, expires_at: extending.expires_after });
  });
});
