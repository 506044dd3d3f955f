import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { cancelled, minute, refunded } from "../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../support/order-flow.ts";
import { sale } from "../support/order-sale.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

let flow: OrderFlow;
let viewer: AdminClient;
let support: AdminClient;

beforeAll(async () => {
  flow = await startOrderFlow({
    program: { earning: { excluded_product_tags: ["No Points"], excluded_customer_tags: ["staff"] } },
  });
  viewer = await signIn(flow, "viewer");
  support = await signIn(flow, "support");
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

async function order(id: string) {
  const { status, body: answer } = await viewer.get(`/orders/${id}`);
  expect(status).toBe(200);
  return answer.data;
}

async function tagProduct(orderId: string, tags: string[]): Promise<void> {
  const answer = await flow.client.put(`/api/storefront/products/product-of-${orderId}`, { tags });
  expect(answer.status).toBe(200);
}

/** Every row of points, orders, outbox events and the audit log. */
async function everything(): Promise<unknown> {
  const tables = ["allotment", "lot", "draw", "balance", "store_order", "order_posting", "order_spend", "staff_task"];
  const texts = [...tables, "outbox_event", "audit_entry", "coupon_use"].map(
    (table) => `select '${table}' as name, to_jsonb(t)::text as row from ${table} t`,
  );
  return flow.deps.db.query(`select * from (${texts.join(" union all ")}) u order by name, row`);
}

describe("recomputing an order", () => {
  test("a product's new tag: the difference is shown and nothing written; then exactly it is, once", async () => {
    await flow.take(...sale("re1", "yui", 4_000));
    await tagProduct("re1", ["no points"]);
    const before = await everything();
    const { body: shown } = await support.get("/orders/re1/recompute");
    expect(await everything()).toEqual(before);
    expect(shown.data).toMatchObject({
      is_changed: true,
      before: { awardable_points: 40, points_awarded: 40 },
      after: { awardable_points: 0, points_awarded: 0 },
      postings: [{ cause: "adjust/re1/1", type: "refund", wanted: -40, taken: -40, outcome: "posted" }],
      products: [{ product_id: "product-of-re1", before: null, after: { tags: ["no points"] } }],
      customer_excluded: null,
    });

    const [once, twice] = await Promise.all([1, 2].map(() => support.post("/orders/re1/recompute", shown.data)));
    expect([once?.status, twice?.status]).toEqual([422, 422]); // fields that the body does not have
    const { digest } = shown.data;
    const answers = await Promise.all([1, 2].map(() => support.post("/orders/re1/recompute", { digest })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body: answer }) => answer.data.is_changed).sort()).toEqual([false, true]);
    expect(answers.find(({ body: answer }) => answer.data.is_changed)?.body).toEqual(shown);
    expect(await flow.ledger("yui")).toEqual([
      ["fulfillment", 40],
      ["refund", -40],
    ]);
    const entries = await flow.deps.db.query(
      "select actor_name, before, after from audit_entry where action = 'order.recomputed' and subject_id = 're1'",
    );
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({ before: { points_awarded: 40 }, after: { points_awarded: 0 } });
  });

  test("nothing to change says so, and the tag taken away gives the points again under the next number", async () => {
    const same = await support.get("/orders/re1/recompute");
    expect(same.body.data).toMatchObject({ is_changed: false, postings: [], products: [], customer_excluded: null });
    await tagProduct("re1", []);
    const { digest, postings } = (await support.get("/orders/re1/recompute")).body.data;
    expect(postings).toMatchObject([{ cause: "adjust/re1/2", type: "fulfillment", wanted: 40, taken: 40 }]);
    expect((await support.post("/orders/re1/recompute", { digest })).status).toBe(200);
    expect(await flow.order("re1")).toMatchObject({ awardable_points: 40, points_awarded: 40 });
    await flow.take(...sale("re1", "yui", 4_000));
    expect(await flow.balance("yui")).toBe(40);
  });

  test("a customer's excluded tag; the program's own rules stay those of the snapshot", async () => {
    await flow.customer("kei");
    await flow.take(...sale("re2", "kei", 2_000));
    await flow.customer("kei", { tags: ["Staff"] });
    await flow.program({ earning: { excluded_customer_tags: [] } });
    const { data } = (await support.get("/orders/re2/recompute")).body;
    expect(data.customer_excluded).toEqual({ before: false, after: true });
    expect(data.postings).toMatchObject([{ wanted: -20, taken: -20 }]);
    await support.post("/orders/re2/recompute", { digest: data.digest });
    expect(await flow.spend("re2")).toBeNull();
    expect((await order("re2")).rules).toMatchObject({ is_customer_excluded: true, program_version: 2 });
  });

  test("points that were spent are shown as forgiven, and are", async () => {
    await flow.take(...sale("re3", "nao", 3_000));
    await flow.give("nao", -25);
    await tagProduct("re3", ["No points"]);
    const { digest, after, postings } = (await support.get("/orders/re3/recompute")).body.data;
    expect(postings).toMatchObject([{ wanted: -30, taken: -5, outcome: "capped" }]);
    expect(after).toMatchObject({ points_awarded: 25, forgiven_points: 25 });
    await support.post("/orders/re3/recompute", { digest });
    expect(await flow.balance("nao")).toBe(0);
    expect(await order("re3")).toMatchObject({ points_awarded: 25, forgiven_points: 25 });
  });

  test("what was shown and is no more so is not written", async () => {
    await flow.take(...sale("re4", "sora", 1_000));
    await tagProduct("re4", ["no points"]);
    const { digest } = (await support.get("/orders/re4/recompute")).body.data;
    await flow.take(...ofOrder("re4", "sora", [refunded(5, "r", { lines: [["a", 1, 500]], moved: 500 })]));
    const before = await everything();
    const late = await support.post("/orders/re4/recompute", { digest });
    expect([late.status, late.body.errors[0].source.pointer]).toEqual([422, "/digest"]);
    expect(await everything()).toEqual(before);
  });

  test("is not for viewers", async () => {
    expect((await viewer.get("/orders/re1/recompute")).status).toBe(403);
    expect((await viewer.post("/orders/re1/recompute", { digest: "x" })).status).toBe(403);
  });
});

describe("what staff has to look at", () => {
  test("is shown with the order, marked done once, by whom, and written down", async () => {
    await flow.program({ refunds: { shortfall: "refuse" } });
    await flow.take(...sale("task1", "umi", 3_000, { processedAt: minute(1) }));
    await flow.give("umi", -25);
    await flow.take(...ofOrder("task1", "umi", [cancelled(9)]));
    const [task] = (await order("task1")).tasks;
    expect(task).toMatchObject({ kind: "points_not_taken", points: -30, cause: "cancel/task1", done_at: null });
    const path = `/orders/task1/tasks/${task.uid}/done`;
    expect((await viewer.post(path)).status).toBe(403);
    expect((await support.post(`/orders/re1/tasks/${task.uid}/done`)).status).toBe(404);
    const done = await support.post(path);
    expect(done.status).toBe(200);
    expect((await support.post(path)).status).toBe(404);
    const [after] = (await order("task1")).tasks;
    expect(after).toMatchObject({ done_by: done.body.data.done_by, done_at: done.body.data.done_at });
    expect(after.done_by).toMatch(/^support/);
    const entries = await flow.deps.db.query("select after from audit_entry where action = 'order.task_done'");
    expect(entries).toEqual([{ after: { task: task.uid, kind: "points_not_taken" } }]);
  });
});
