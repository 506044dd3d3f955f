import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { adjustPoints } from "../../src/adjustments/adjust-points.ts";
import type { RequestRow } from "../../src/admin/approvals/schema.ts";
import type { AdjustmentBody } from "../../src/admin/customers/schema.ts";
import { deleteCustomer } from "../../src/customers/delete-customer.ts";
import { redactCustomer } from "../../src/intake/redact-customer.ts";
import { createApprovals } from "../support/approvals.ts";
import { knowPresent } from "../support/clock.ts";
import { customerWithPoints, mergeInto } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

let service: TestService;
let support: AdminClient;
let manager: AdminClient;
let owner: AdminClient;

beforeAll(async () => {
  service = await startTestService({ worker: false, program: { staff: { approval_limit: 1_000 } } });
  owner = await signIn(service, "owner");
  manager = await signIn(service, "manager");
  support = await signIn(service, "support");
});
afterAll(() => stopVerified(service));

const customerWith = (points: number) => customerWithPoints(service, points);

const { adjust, requested, decide, points } = createApprovals(() => ({ support }));

/** Asked for and approved. */
async function approved(id: string, wanted: Partial<AdjustmentBody>): Promise<{ allotment_uid: string }> {
  await decide(manager, await requested(id, wanted), "approve");
  const [row] = (await support.get(`/customers/${id}/ledger`)).body.data;
  return { allotment_uid: row.uid };
}

const merge = (removedId: string, keptId: string) => mergeInto(service.deps, removedId, keptId);

describe("a request whose customer, balance or asker has changed", () => {
  test("sets no balance that has moved on, and none of whom the customer was merged into", async () => {
    const id = await customerWith(1_500);
    const uid = await requested(id, { balance: 400 });
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: 200 });
    const changed = await decide(manager, uid, "approve");
    expect(changed.body.errors[0]).toMatchObject({
      status: "409",
      title: "The balance has changed since this was requested",
      code: "request_changed",
    });
    expect(await points(id)).toBe(1_700);
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -300 });
    const keptId = await customerWith(0);
    await merge(id, keptId);
    expect((await decide(manager, uid, "approve")).status).toBe(409);
    expect(await points(keptId)).toBe(1_400);
    expect((await decide(manager, uid, "refuse")).status).toBe(200);
  });

  test("sets no balance that now takes points where it gave some, or that holds another customer's points since", async () => {
    const give = (id: string, point_value: number) =>
      service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value });
    const id = await customerWith(100);
    const uid = await requested(id, { balance: 1_600 });
    await give(id, 1_700);
    expect((await decide(manager, uid, "approve")).body.errors[0]).toMatchObject({ code: "request_changed" });
    expect(await points(id)).toBe(1_800);
    await give(id, -1_000);
    await merge(await customerWith(100), id);
    expect((await decide(manager, uid, "approve")).body.errors[0]).toMatchObject({ code: "request_changed" });
    expect(await points(id)).toBe(900);
    service.clock.advance({ seconds: 1 });
    const again = await requested(id, { balance: 2_000 });
    expect((await decide(manager, again, "approve")).status).toBe(200);
    expect(await points(id)).toBe(2_000);
  });

  test("sets no balance that holds another customer's points since, where the clock of the node that was asked is ahead", async () => {
    const [id, other] = [await customerWith(100), await customerWith(300)];
    await knowPresent(service);
    const clock = { now: () => service.clock.now().add({ minutes: 5 }) };
    const by = { uid: support.uid, name: "support" };
    const ask = async (wanted: { balance: number } | { pointValue: number }) => {
      const asked = { requestUid: randomUUID(), ...wanted };
      const { made } = await adjustPoints({ ...service.deps, clock }, id, asked, by);
      expect(made.kind).toBe("requested");
      return asked;
    };
    const ledgerTime = () => service.deps.db.query("select floor_at from ledger_mark");
    const before = await ledgerTime();
    await ask({ pointValue: 2_000 });
    expect(await ledgerTime()).toEqual(before);
    const asked = await ask({ balance: 1_600 });
    await merge(other, id);
    expect((await decide(manager, asked.requestUid, "approve")).body.errors[0]).toMatchObject({
      code: "request_changed",
    });
    expect(await points(id)).toBe(400);
  });

  test("follows the points to whom the customer was merged into, and stays one request", async () => {
    const id = await customerWith(10);
    const { allotment_uid } = await approved(id, { point_value: 2_000 });
    const undo = (of: string) =>
      support.post(`/customers/${of}/adjustments/${allotment_uid}/undo`, { request_uid: randomUUID() });
    const { request_uid } = (await undo(id)).body.data;
    const keptId = await customerWith(5);
    await merge(id, keptId);
    expect((await undo(keptId)).body.data).toMatchObject({ state: "waiting", request_uid });
    expect((await decide(manager, request_uid, "approve")).status).toBe(200);
    expect(await points(keptId)).toBe(15);
  });

  test("is one request for an undo, in a race too", async () => {
    const id = await customerWith(10);
    const { allotment_uid } = await approved(id, { point_value: 2_000 });
    const undo = (by: AdminClient) =>
      by.post(`/customers/${id}/adjustments/${allotment_uid}/undo`, { request_uid: randomUUID() });
    const answers = await Promise.all([support, owner, manager, support].map(undo));
    expect(new Set(answers.map(({ body }) => body.data.request_uid)).size).toBe(1);
    expect((await support.get(`/customers/${id}`)).body.data.waiting).toHaveLength(1);
  });

  test("approved after what it undoes was undone otherwise says so", async () => {
    const id = await customerWith(10);
    const { allotment_uid } = await approved(id, { point_value: 2_000 });
    const path = `/customers/${id}/adjustments/${allotment_uid}/undo`;
    const { request_uid } = (await support.post(path, { request_uid: randomUUID() })).body.data;
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -1_500 });
    const expires = (hours: number) =>
      service.deps.db.execute("update adjustment_request set expires_at = $2 where uid = $1", [
        request_uid,
        service.clock.now().add({ hours }),
      ]);
    await expires(0);
    expect((await support.post(path, { request_uid: randomUUID() })).body.data).toMatchObject({ state: "posted" });
    await expires(24);
    const late = await decide(manager, request_uid, "approve");
    expect(late.body.errors[0]).toMatchObject({
      status: "409",
      title: "The request has been decided already",
      code: "request_decided",
    });
    expect(await points(id)).toBe(0);
  });

  test("sent again tells what was decided of it", async () => {
    const id = await customerWith(10);
    const states: [AdminClient, "approve" | "refuse" | "withdraw", string][] = [
      [manager, "approve", "posted"],
      [manager, "refuse", "refused"],
      [support, "withdraw", "withdrawn"],
    ];
    for (const [by, how, state] of states) {
      const wanted = { request_uid: randomUUID(), point_value: 2_000 };
      await requested(id, wanted);
      await decide(by, wanted.request_uid, how);
      expect((await adjust(id, wanted)).body.data).toMatchObject({ state, point_value: 2_000 });
    }
    expect(await points(id)).toBe(2_010);
  });

  test("gives nothing to a customer who was deleted", async () => {
    const id = await customerWith(10);
    const uid = await requested(id, { point_value: 2_000 });
    await service.deps.db.tx((tx) => deleteCustomer(tx, service.deps, id, "test"));
    expect((await decide(manager, uid, "approve")).status).toBe(404);
    expect(await points(id)).toBe(0);
  });

  test("names who asked by the e-mail too: a name is anybody's to take", async () => {
    const id = await customerWith(10);
    const uid = await requested(id, { point_value: 2_000 });
    await support.put("/account", { name: "The owner" });
    const rows: RequestRow[] = (await manager.get("/approvals")).body.data;
    expect(rows.find((row) => row.uid === uid)).toMatchObject({ requested_email: support.email });
  });

  test("keeps no note of who is forgotten, written later or under a merged customer's id", async () => {
    const removedId = await customerWith(10);
    const keptId = await customerWith(10);
    const uids = [
      await requested(removedId, { point_value: 2_000, note: "Hanako" }),
      await requested(keptId, { point_value: 3_000, note: "Hanako" }),
    ];
    await merge(removedId, keptId);
    const forget = () =>
      service.deps.db.tx((tx) => redactCustomer(tx, service.deps, { customerId: keptId, appReference: "test" }));
    const notes = () =>
      service.deps.db.query(
        "select note, decision_note from adjustment_request where uid = any($1::uuid[]) and coalesce(note, decision_note) is not null",
        [uids],
      );
    await forget();
    expect(await notes()).toEqual([]);
    for (const uid of uids) expect((await decide(manager, uid, "refuse", { note: "Hanako" })).status).toBe(200);
    expect(await notes()).toEqual([]);
    await service.deps.db.execute("update adjustment_request set note = 'late' where uid = any($1::uuid[])", [uids]);
    await forget();
    expect(await notes()).toEqual([]);
  });
});
