import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RequestRow } from "../../src/admin/approvals/schema.ts";
import { eraseCustomers } from "../../src/customers/erase-customers.ts";
import { findCustomer } from "../../src/customers/find-customer.ts";
import { refOf } from "../../src/ledger/customer-ref.ts";
import { createApprovals } from "../support/approvals.ts";
import { customerWithPoints } from "../support/customers.ts";
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

describe("an adjustment above the limit", () => {
  test("waits until another person approves it, and is written then", async () => {
    const id = await customerWith(10);
    expect((await adjust(id, { point_value: 1_000 })).body.data.state).toBe("posted");
    const preview = await support.get(`/customers/${id}/adjustment-preview?point_value=1001`);
    expect(preview.body.data.needs_approval).toBe(true);
    const uid = await requested(id, { point_value: 1_001, note: "large", reason_type: "compensation" });
    expect(await points(id)).toBe(1_010);
    const head = await support.get(`/customers/${id}`);
    expect(head.body.data.waiting).toMatchObject([{ uid, point_value: 1_001 }]);
    const rows: RequestRow[] = (await manager.get("/approvals")).body.data;
    expect(rows.find((row) => row.uid === uid)).toMatchObject({ customer: { id }, note: "large", is_own: false });

    expect((await decide(support, uid, "approve")).status).toBe(403);
    const { status, body } = await decide(manager, uid, "approve", { note: "fine" });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({ state: "approved", decision_note: "fine" });
    expect(await points(id)).toBe(2_011);
    const [row] = (await support.get(`/customers/${id}/ledger`)).body.data;
    expect(row).toMatchObject({
      point_value: 1_001,
      note: "large",
      actor: expect.stringContaining("support"),
      approved_by: expect.stringContaining("manager"),
    });
    expect((await manager.get("/approvals?list=decided")).body.data[0].uid).toBe(uid);
  });

  test("is one request for a form, however often it is sent", async () => {
    const id = await customerWith(10);
    const request_uid = randomUUID();
    const answers = await Promise.all([1, 2, 3].map(() => adjust(id, { request_uid, point_value: 5_000 })));
    expect(answers.map(({ body }) => body.data.request_uid)).toEqual([request_uid, request_uid, request_uid]);
    expect((await adjust(id, { request_uid, point_value: 5_001 })).status).toBe(422);
    expect((await adjust(id, { request_uid, point_value: 5_000 }, owner)).status).toBe(422);
    expect((await support.get(`/customers/${id}`)).body.data.waiting).toHaveLength(1);
  });

  test("nobody approves their own, not even an owner", async () => {
    const id = await customerWith(10);
    const uid = await requested(id, { point_value: 2_000 }, owner);
    expect((await decide(owner, uid, "approve")).status).toBe(403);
    expect((await decide(owner, uid, "refuse")).status).toBe(403);
    expect((await decide(manager, uid, "withdraw")).status).toBe(403);
    expect((await decide(owner, uid, "withdraw")).body.data.state).toBe("withdrawn");
    expect((await decide(manager, uid, "approve")).status).toBe(409);
    expect(await points(id)).toBe(10);
  });

  test("approved by two at once, and twice by one, it is written once", async () => {
    const id = await customerWith(10);
    const uid = await requested(id, { point_value: 2_000 });
    const answers = await Promise.all([manager, owner, manager, owner].map((by) => decide(by, uid, "approve")));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 409, 409]);
    expect(await points(id)).toBe(2_010);
  });

  test("approved and refused at once, one of them holds", async () => {
    const id = await customerWith(10);
    const uid = await requested(id, { point_value: 2_000 });
    const [approved, refused] = await Promise.all([decide(manager, uid, "approve"), decide(owner, uid, "refuse")]);
    expect([approved.status, refused.status].sort()).toEqual([200, 409]);
    expect(await points(id)).toBe(approved.status === 200 ? 2_010 : 10);
  });

  test("no way leads around it: set balance, and undoing, count what they would move", async () => {
    const id = await customerWith(1_500);
    const set = await requested(id, { balance: 400 });
    expect(await points(id)).toBe(1_500);
    await decide(manager, set, "approve");
    expect(await points(id)).toBe(400);
    const [row] = (await support.get(`/customers/${id}/ledger`)).body.data;
    const undo = () => support.post(`/customers/${id}/adjustments/${row.uid}/undo`, { request_uid: randomUUID() });
    const waiting = await undo();
    expect(waiting.body.data).toMatchObject({ state: "waiting", point_value: 1_100 });
    expect((await undo()).body.data.request_uid).toBe(waiting.body.data.request_uid);
    await decide(manager, waiting.body.data.request_uid, "approve");
    expect(await points(id)).toBe(1_500);
  });

  test("that the balance does not hold any more waits on", async () => {
    const id = await customerWith(3_000);
    const uid = await requested(id, { point_value: -2_000 });
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: -1_500 });
    expect((await decide(manager, uid, "approve")).status).toBe(400);
    expect((await support.get(`/customers/${id}`)).body.data.waiting).toHaveLength(1);
    await service.client.post("/api/storefront/point_allotments", { customer_id: id, point_value: 500 });
    expect((await decide(manager, uid, "approve")).status).toBe(200);
    expect(await points(id)).toBe(0);
  });

  test("that nobody decides in 30 days is over", async () => {
    const id = await customerWith(10);
    const uid = await requested(id, { point_value: 2_000 });
    const count = async () => (await manager.get("/approvals/waiting")).body.data.waiting;
    const before = await count();
    expect(before).toBeGreaterThan(0);
    service.clock.advance({ hours: 24 * 31 });
    owner = await signIn(service, "owner");
    manager = await signIn(service, "manager");
    support = await signIn(service, "support");
    expect(await count()).toBe(0);
    const late = await decide(manager, uid, "approve");
    expect(late.body.errors[0]).toMatchObject({
      status: "409",
      title: "The request is too old to be approved",
      code: "request_expired",
    });
    expect(await points(id)).toBe(10);
  });

  test("says nothing of a person who is forgotten, nor does the audit log", async () => {
    const id = await customerWith(10);
    const uid = await requested(id, { point_value: 2_000, note: "Hanako Yamada called" });
    const { customerUid } = await findCustomer(service.deps.db, id);
    const ref = refOf(customerUid);
    await service.deps.db.tx((tx) => eraseCustomers(tx, [ref], service.clock.now()));
    const rows = await service.deps.db.query("select note from adjustment_request where uid = $1", [uid]);
    expect(rows).toEqual([{ note: null }]);
    const entries = await service.deps.db.query("select from audit_entry where after::text like '%Hanako%'");
    expect(entries).toEqual([]);
  });

  test("is recorded: who asked, who decided", async () => {
    const id = await customerWith(10);
    await decide(manager, await requested(id, { point_value: 2_000 }), "refuse", { note: "no" });
    const entries = await service.deps.db.query(
      "select action, actor_id as by from audit_entry where subject_id = $1 order by at, action",
      [id],
    );
    expect(entries).toEqual(
      expect.arrayContaining([
        { action: "points.adjustment_requested", by: support.uid },
        { action: "points.adjustment_refused", by: manager.uid },
      ]),
    );
  });
});
