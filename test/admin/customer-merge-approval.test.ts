import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RequestRow } from "../../src/admin/approvals/schema.ts";
import type { ShownMerge } from "../../src/admin/customers/merge-schema.ts";
import { upsertCustomer } from "../../src/customers/upsert-customer.ts";
import { mergeCustomers } from "../../src/intake/merge-customers.ts";
import { assignWaitingOrders } from "../../src/orders/assign-waiting-orders.ts";
import type { Answer } from "../support/client.ts";
import { placeGuestOrder } from "../support/guest-order.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { stopVerified } from "../support/stop-verified.ts";

const API = "/api/storefront";
let service: TestService;
let support: AdminClient;
let manager: AdminClient;
let owner: AdminClient;

beforeAll(async () => {
  const program = { expiration: { delay_months: 12 }, staff: { daily_limit: 1_000_000 } };
  service = await startTestService({ worker: false, program });
  support = await signIn(service, "support");
  manager = await signIn(service, "manager");
  owner = await signIn(service, "owner");
});
afterAll(() => stopVerified(service));

let made = 0;
async function make(): Promise<string> {
  const storefrontId = `m${++made}`;
  await service.deps.db.tx((tx) => upsertCustomer(tx, service.deps, { storefrontId }));
  return storefrontId;
}
async function post(customer_id: string, point_value: number): Promise<number> {
  const body = { customer_id, point_value, reason: { type: "reward" } };
  return (await service.client.post(`${API}/point_allotments`, body)).status;
}
const shown = async (kept: string, removed: string): Promise<ShownMerge> =>
  (await manager.post(`/customers/${kept}/merge-preview`, { removed })).body.data;
const merge = (kept: string, removed: string, seen: string, who = manager) =>
  who.post(`/customers/${kept}/merge`, { removed, seen });
const head = async (id: string) => (await manager.get(`/customers/${id}`)).body.data;

/** Every point that there is, and how many merges the audit log has. */
async function written() {
  const [row] = await service.deps.db.query<{ points: bigint; audit: bigint }>(
    `select (select sum(ledger_points)::bigint from balance) as points,
       (select count(*) from audit_entry where action = 'customer.merged') as audit`,
  );
  return row;
}

describe("a merge of more points than one person may move", () => {
  const LARGE = 1_000_001;
  const waiting = async (kept: string) =>
    (await manager.get("/approvals")).body.data.filter(({ customer }: RequestRow) => customer?.id === kept);
  const decide = (uid: string, how: string, who: AdminClient) => who.post(`/approvals/${uid}/${how}`, {});
  const said = ({ status, body }: Answer) => [status, body.errors[0].code, body.errors[0].detail];
  async function asked(): Promise<{ kept: string; removed: string; uid: string }> {
    const [kept, removed] = [await make(), await make()];
    await post(removed, LARGE);
    const told = await shown(kept, removed);
    expect(told.needs_approval).toEqual({ points: LARGE, moved_points: LARGE, excess: "day", earlier_points: 0 });
    const answers = await Promise.all([1, 2, 3].map(() => merge(kept, removed, told.seen)));
    for (const { body } of answers) expect(body).toEqual({ data: { id: kept, is_requested: true } });
    const rows = await waiting(kept);
    expect(rows).toMatchObject([{ kind: "merge", point_value: LARGE, merge: { removed_id: removed } }]);
    return { kept, removed, uid: rows[0].uid };
  }

  test("waits, asked for once, and is done once a second person approves it", async () => {
    const before = await written();
    const { kept, removed, uid } = await asked();
    expect((await head(removed)).balance.available).toBe(LARGE);
    expect((await head(kept)).waiting).toMatchObject([{ kind: "merge", removed_id: removed, kept_id: null }]);
    expect((await head(removed)).waiting).toMatchObject([{ kind: "merge", removed_id: null, kept_id: kept }]);
    expect((await head(await make())).waiting).toEqual([]);
    expect((await written())?.audit).toBe(before?.audit);
    expect((await decide(uid, "approve", manager)).status).toBe(403);
    expect((await decide(uid, "approve", support)).status).toBe(403);
    const answers = await Promise.all([1, 2].map(() => decide(uid, "approve", owner)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect((await head(removed)).id).toBe(kept);
    expect((await head(kept)).balance.available).toBe(LARGE);
    expect((await written())?.points).toBe((before?.points ?? 0n) + BigInt(LARGE));
    const actions = await service.deps.db.query<{ action: string }>(
      "select action from audit_entry where subject_id = $1 and action like 'customer.merge%' order by action",
      [kept],
    );
    expect(actions.map(({ action }) => action)).toEqual([
      "customer.merge_approved",
      "customer.merge_requested",
      "customer.merged",
    ]);
    // what was approved does not count as moved by the one who asked
    const [a, b] = [await make(), await make()];
    await post(b, 999_999);
    expect((await shown(a, b)).needs_approval).toBe(null);
  });

  test("moves no more than was asked for, and may still be refused then", async () => {
    const { kept, removed, uid } = await asked();
    await post(removed, 1);
    expect((await decide(uid, "approve", owner)).status).toBe(409);
    expect((await head(removed)).balance.available).toBe(LARGE + 1);
    expect((await decide(uid, "refuse", owner)).status).toBe(200);
    expect(await waiting(kept)).toEqual([]);
    expect(await head(removed)).toMatchObject({ id: removed, waiting: [] });
  });

  test("is one request, whoever asks at the same moment and whichever of the two is to stay", async () => {
    const [a, b] = [await make(), await make()];
    await post(a, LARGE);
    await post(b, LARGE);
    const [there, back] = [await shown(a, b), await shown(b, a)];
    const asked = [
      merge(a, b, there.seen),
      merge(a, b, there.seen, owner),
      merge(b, a, back.seen),
      merge(b, a, back.seen, owner),
    ];
    const answers = await Promise.all(asked);
    const waits = [...(await waiting(a)), ...(await waiting(b))];
    expect(waits).toHaveLength(1);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
    const [{ customer, merge: asks, requested_name: name }] = waits;
    const told = expect.stringMatching(`^${name} asked at .* to merge ${asks.removed_id} into ${customer.id}: `);
    for (const answer of answers.filter(({ status }) => status === 409))
      expect(said(answer)).toEqual([409, "merge_waits", told]);
    const [requester, other] = waits[0].requested_email === owner.email ? [owner, manager] : [manager, owner];
    const again = await merge(customer.id, asks.removed_id, customer.id === a ? there.seen : back.seen, requester);
    expect(again.body, "sent again").toEqual({ data: { id: customer.id, is_requested: true } });
    expect((await decide(waits[0].uid, "approve", other)).status).toBe(200);
    expect((await head(a)).balance.available).toBe(2 * LARGE);
  });

  test("says that the two are one already, where they were merged meanwhile, and is refused then", async () => {
    const { kept, removed, uid } = await asked();
    await service.deps.db.tx((tx) =>
      mergeCustomers(tx, service.deps, { keptId: removed, removedId: kept, appReference: "platform" }),
    );
    const answers = await Promise.all([1, 2].map(() => decide(uid, "approve", owner)));
    const told = `${removed} and ${kept} are one customer already: refuse or withdraw this request`;
    for (const answer of answers) expect(said(answer)).toEqual([409, "customer_merged", told]);
    expect((await head(kept)).balance.available).toBe(LARGE);
    expect((await decide(uid, "refuse", owner)).status).toBe(200);
  });

  test("is not done when one of the two is somebody else by now, and may be withdrawn", async () => {
    const { kept, removed, uid } = await asked();
    const third = await make();
    const { seen } = await shown(third, kept);
    expect((await merge(third, kept, seen)).status).toBe(200);
    const refused = await decide(uid, "approve", owner);
    expect(said(refused)).toEqual([409, "customer_merged", expect.stringMatching(`^${kept} became part of somebody`)]);
    expect((await head(removed)).balance.available).toBe(LARGE);
    expect((await decide(uid, "withdraw", manager)).status).toBe(200);
  });
});

describe("a merge into a customer with more points than one person may move", () => {
  const RICH = 5_000_000;
  const requests = async (kept: string) =>
    (await manager.get("/approvals")).body.data.filter(({ customer }: RequestRow) => customer?.id === kept);
  const approve = (uid: string) => owner.post(`/approvals/${uid}/approve`, {});
  async function pair(ofRemoved: number): Promise<{ kept: string; removed: string }> {
    const [kept, removed] = [await make(), await make()];
    await post(kept, RICH);
    if (ofRemoved > 0) await post(removed, ofRemoved);
    return { kept, removed };
  }

  test.each([5, 0])("waits for a second person, since the other id leads to the points: %i move", async (moved) => {
    const { kept, removed } = await pair(moved);
    const told = await shown(kept, removed);
    expect(told.needs_approval).toEqual({ points: RICH, moved_points: moved, excess: "day", earlier_points: 0 });
    expect((await merge(kept, removed, told.seen)).body).toEqual({ data: { id: kept, is_requested: true } });
    expect((await head(removed)).id).toBe(removed);
    const [request] = await requests(kept);
    expect(request).toMatchObject({ point_value: RICH, merge: { removed_id: removed } });
    expect((await approve(request.uid)).status).toBe(200);
    expect((await head(removed)).id).toBe(kept);
    expect((await head(kept)).balance.available).toBe(RICH + moved);
    const entries = await service.deps.db.query<{ action: string; text: string }>(
      "select action, after::text as text from audit_entry where subject_id = $1 and action like 'customer.merge%'",
      [kept],
    );
    expect(entries).toHaveLength(3);
    for (const { action, text } of entries) {
      const counts = { merged: removed, counted_points: RICH };
      const isOfBoth = action !== "customer.merge_approved";
      expect(JSON.parse(text)).toMatchObject(isOfBoth ? { ...counts, point_value: moved } : counts);
    }
  });

  test("counts as moved by its person for 24 hours, where it is within the allowance", async () => {
    const mover = await signIn(service, "manager");
    const [kept, removed, other, small] = [await make(), await make(), await make(), await make()];
    await post(kept, 600_000);
    await post(removed, 5);
    await post(other, 400_001);
    const previewed = async (one: string, two: string): Promise<ShownMerge> =>
      (await mover.post(`/customers/${one}/merge-preview`, { removed: two })).body.data;
    const { needs_approval: needed, seen } = await previewed(kept, removed);
    expect(needed).toBe(null);
    expect((await merge(kept, removed, seen, mover)).body).toEqual({ data: { id: kept, is_requested: false } });
    const next = { points: 400_001, moved_points: 0, excess: "day", earlier_points: 600_000 };
    expect((await previewed(other, small)).needs_approval).toEqual(next);
    expect((await previewed(small, other)).needs_approval).toEqual({ ...next, moved_points: 400_001 });
  });

  test("goes on waiting where the survivor got more than was requested, and may be done when it has less", async () => {
    const { kept, removed } = await pair(5);
    const { seen } = await shown(kept, removed);
    await merge(kept, removed, seen);
    const [{ uid }] = await requests(kept);
    await post(removed, RICH - 5);
    await post(kept, 1);
    const { status, body } = await approve(uid);
    expect([status, body.errors[0]]).toEqual([
      409,
      expect.objectContaining({ code: "request_changed", detail: more(RICH, RICH + 1) }),
    ]);
    await post(kept, -1);
    expect((await approve(uid)).status).toBe(200);
    expect((await head(kept)).balance.available).toBe(2 * RICH);
  });

  test("was requested of a version that counted the removed customer's points alone: says to request it again", async () => {
    const { kept, removed } = await pair(1_000_001);
    const { seen } = await shown(kept, removed);
    await merge(kept, removed, seen);
    const [{ uid }] = await requests(kept);
    await service.owner.execute("update adjustment_request set point_value = 1000001 where uid = $1", [uid]);
    const { status, body } = await approve(uid);
    expect([status, body.errors[0].detail]).toEqual([409, more(1_000_001, RICH)]);
    expect((await head(removed)).id).toBe(removed);
    expect((await manager.post(`/approvals/${uid}/withdraw`, {})).status).toBe(200);
    await merge(kept, removed, seen);
    expect((await approve((await requests(kept))[0].uid)).status).toBe(200);
    expect((await head(removed)).id).toBe(kept);
  });
});

describe("a merge of customers whose orders have yet to award points", () => {
  const LARGE = 1_000_001;
  const order = (email: string, ofPoints: number) => placeGuestOrder(service, email, ofPoints);
  async function member(email: string): Promise<string> {
    const body = { request_uid: randomUUID(), id: null, profile: { email }, shares_email: false };
    return (await manager.post("/customers", body)).body.data.id;
  }
  async function asked(kept: string, removed: string): Promise<string> {
    const told = await shown(kept, removed);
    const counts = { points: LARGE, moved_points: 0, order_points: LARGE, excess: "day", earlier_points: 0 };
    expect(told.needs_approval).toEqual(counts);
    expect((await merge(kept, removed, told.seen)).body).toEqual({ data: { id: kept, is_requested: true } });
    const rows: RequestRow[] = (await manager.get("/approvals")).body.data;
    const row = rows.find(({ customer }) => customer?.id === kept);
    expect(row?.point_value).toBe(LARGE);
    return row?.uid ?? "";
  }
  const approve = (uid: string) => owner.post(`/approvals/${uid}/approve`, {});

  test("waits for a second person, who may still approve it after an order came to its customer and was paid", async () => {
    const pay = await order("guest@example.com", LARGE);
    const [friend, guest] = [await make(), await member("guest@example.com")];
    const uid = await asked(friend, guest); // the order waits under the address
    await assignWaitingOrders(service.deps);
    await pay();
    expect([(await head(guest)).balance.available, (await head(friend)).balance.available]).toEqual([LARGE, 0]);
    expect((await approve(uid)).status).toBe(200);
    expect((await head(friend)).balance.available).toBe(LARGE);
  });

  test("waits also where the orders are the survivor's, and says what has come since", async () => {
    await order("rich@example.com", LARGE);
    const [friend, rich] = [await make(), await member("rich@example.com")];
    await assignWaitingOrders(service.deps);
    const uid = await asked(rich, friend);
    await order("rich@example.com", 2);
    await assignWaitingOrders(service.deps);
    const { status, body } = await approve(uid);
    expect(status).toBe(409);
    expect(body.errors[0].detail).toContain(`one has ${LARGE + 2}, ${LARGE + 2} of them from orders`);
    expect((await head(friend)).id).toBe(friend);
    expect((await manager.post(`/approvals/${uid}/withdraw`, {})).status).toBe(200);
  });
});

function more(requested: number, has: number): string {
  const expected = `expected two customers with at most ${requested} points each, as requested; one has ${has}`;
  return `${expected}: refuse or withdraw this request, and ask for the merge again`;
}
