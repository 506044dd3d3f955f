import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { upsertCustomer } from "../../../src/customers/upsert-customer.ts";
import { mergeCustomers } from "../../../src/intake/merge-customers.ts";
import { redactCustomer } from "../../../src/intake/redact-customer.ts";
import { recomputeOrder } from "../../../src/orders/review/recompute-order.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const EARNING = { excluded_customer_tags: ["wholesale"] };
/** 10 points, placed on March 1st. */
const SALE = [body(1, [line("a", { price: 1_000 })]), shipped(2, "f", { a: 1 })];

let flow: OrderFlow;
let count = 0;
beforeAll(async () => {
  flow = await startOrderFlow({ now: "2026-02-20T00:00:00Z", program: { earning: EARNING } });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

/** Two customers with tags that are known before March 1st, when the order is placed; the merge is on March 2nd. */
async function pair(removedTags: string[] | undefined, keptTags: string[] | undefined) {
  const n = ++count;
  const [removed, kept] = [`tr${n}`, `tk${n}`];
  flow.clock.set("2026-02-20T00:00:00Z");
  await flow.customer(removed, removedTags === undefined ? {} : { tags: removedTags });
  await flow.customer(kept, keptTags === undefined ? {} : { tags: keptTags });
  flow.clock.set("2026-03-02T00:00:00Z");
  const merge = () =>
    flow.deps.db.tx((tx) => mergeCustomers(tx, flow.deps, { removedId: removed, keptId: kept, appReference: "test" }));
  return { removed, kept, merge, order: `to${n}`, sale: ofOrder(`to${n}`, removed, SALE) };
}

describe.each([
  ["a wholesaler into a shopper", ["wholesale"], [], 0],
  ["a wholesaler into one without known tags", ["wholesale"], undefined, 0],
  ["a shopper into a wholesaler", [], ["wholesale"], 10],
  ["one without known tags into a wholesaler", undefined, ["wholesale"], 10],
] as const)("an order from before the merge of %s", (_, removedTags, keptTags, points) => {
  const people = () => pair(removedTags?.slice(), keptTags?.slice());

  test("earns by the tags of the customer it names, whether it comes before or after the merge", async () => {
    for (const isLate of [false, true]) {
      const { kept, merge, sale } = await people();
      if (!isLate) await flow.take(...sale);
      await merge();
      if (isLate) await flow.take(...sale);
      expect(await flow.balance(kept)).toBe(points);
    }
  });

  test("still does so when it is computed again by hand", async () => {
    const { kept, merge, order, sale } = await people();
    await flow.take(...sale);
    await merge();
    await flow.deps.db.tx((tx) => recomputeOrder(tx, flow.deps, order));
    expect(await flow.balance(kept)).toBe(points);
  });

  test("and after the survivor was merged too", async () => {
    const { kept, merge, sale } = await people();
    await merge();
    const last = `${kept}l`;
    await flow.customer(last, { tags: ["wholesale"] });
    await flow.deps.db.tx((tx) =>
      mergeCustomers(tx, flow.deps, { removedId: kept, keptId: last, appReference: "test" }),
    );
    await flow.take(...sale);
    expect(await flow.balance(last)).toBe(points);
  });
});

test("an order from after the merge earns by the survivor's tags, under either id", async () => {
  const { removed, kept, merge, order } = await pair(["wholesale"], []);
  await merge();
  const at = Temporal.Instant.from("2026-03-03T00:00:00Z");
  const later = body(1, [line("a", { price: 1_000 })], { processedAt: at });
  await flow.take(...ofOrder(order, removed, [later, shipped(2, "f", { a: 1 })]));
  expect(await flow.balance(kept)).toBe(10);
});

test("a wholesaler who was deleted before the merge into a wholesaler earns nothing for an order that comes late", async () => {
  const { removed, kept, merge, sale } = await pair(["wholesale"], ["wholesale"]);
  await flow.remove(removed);
  await merge();
  await flow.take(...sale);
  expect(await flow.balance(kept)).toBe(0);
});

test.each([false, true])(
  "tags that are stated late for the merged customer count if the survivor has none, sale first: %s",
  async (isFirst) => {
    const { removed, kept, merge, sale } = await pair(undefined, undefined);
    await merge();
    if (isFirst) await flow.take(...sale);
    const profileAt = Temporal.Instant.from("2026-02-25T00:00:00Z");
    await flow.deps.db.tx((tx) =>
      upsertCustomer(tx, flow.deps, { storefrontId: removed, tags: ["wholesale"], profileAt }),
    );
    if (isFirst) await flow.deps.db.tx((tx) => recomputeOrder(tx, flow.deps, sale[0]?.payload.orderId ?? ""));
    else await flow.take(...sale);
    expect(await flow.balance(kept)).toBe(0);
  },
);

test("two without known tags, merged into a wholesaler one after the other, earn as shoppers for orders from before", async () => {
  const { kept, merge, sale } = await pair(undefined, undefined);
  const last = `${kept}l`;
  await flow.customer(last, { tags: ["wholesale"] });
  await merge();
  await mergeInto(flow.deps, kept, last);
  await flow.take(...sale);
  expect(await flow.balance(last)).toBe(10);
});

test("no tags of merged customers stay when the last survivor was deleted before", async () => {
  const { removed, kept, merge } = await pair(["wholesale"], ["retail"]);
  await merge();
  const last = `${kept}l`;
  await flow.customer(last);
  const stated = await statedOf(removed, kept, last);
  expect(await stated()).toBe(2n);
  await flow.remove(last);
  await mergeInto(flow.deps, kept, last);
  expect(await stated()).toBe(0n);
});

test("the merged customer's tags are erased with the survivor", async () => {
  const { removed, kept, merge } = await pair(["wholesale"], ["retail"]);
  await merge();
  const stated = await statedOf(removed, kept);
  expect(await stated()).toBe(2n);
  await flow.remove(kept);
  expect(await stated()).toBe(0n);
});

test("tags that the survivor takes count from the merge on, whenever its orders come", async () => {
  for (const isLate of [false, true]) {
    const { removed, kept, merge, order } = await pair(["wholesale"], undefined);
    const own = ofOrder(order, kept, SALE);
    if (!isLate) await flow.take(...own);
    await merge();
    if (isLate) await flow.take(...own);
    expect(await flow.balance(kept)).toBe(10);
    const later = body(1, [line("a", { price: 1_000 })], { processedAt: flow.clock.now().add({ hours: 1 }) });
    await flow.take(...ofOrder(`${order}-2`, removed, [later, shipped(2, "f", { a: 1 })]));
    expect(await flow.balance(kept)).toBe(10);
  }
});

/** How many statements about the tags of these customers are stored. */
async function statedOf(...ids: string[]) {
  const uids = await flow.deps.db.query<{ uid: string }>(
    `select customer_uid as uid
    from customer
    where storefront_id = any($1)`,
    [ids],
  );
  expect(uids.length).toBe(ids.length);
  return async () => {
    const [row] = await flow.deps.db.query<{ n: bigint }>(
      `select count(*) as n
      from tag_statement
      where customer_uid = any($1)`,
      [uids.map(({ uid }) => uid)],
    );
    return row?.n;
  };
}

test("an erasure of one id of a person leaves none of its tags with the others", async () => {
  const { removed, kept, merge } = await pair(undefined, []);
  const first = `${removed}f`;
  await flow.customer(first);
  await mergeInto(flow.deps, first, removed);
  await flow.customer(removed, { tags: ["wholesale"] });
  await merge();
  const redact = { customerId: removed, appReference: "test" };
  await flow.deps.db.tx((tx) => redactCustomer(tx, flow.deps, redact));
  const left = await flow.deps.db.query(
    `select s.statement
     from tag_statement s
     join customer c on c.bucket = s.bucket and c.customer_uid = s.customer_uid
     where c.storefront_id = any($1)
       and s.statement like '%wholesale%'`,
    [[first, removed, kept]],
  );
  expect(left).toEqual([]);
});
