import { afterAll, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, line, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

const API = "/api/storefront";
const ROUNDS = 6;

let flow: OrderFlow;
beforeAll(async () => {
  flow = await startOrderFlow();
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const send = (type: string, payload: object) => flow.client.post("/intake/events", { type, payload });

test("awards, debits, coupons, holds and orders of both ids while they are merged: nothing is lost, nothing counts twice", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [kept, removed] = [`k${round}`, `r${round}`];
    for (const id of [kept, removed]) {
      await flow.customer(id);
      await flow.give(id, 1_000);
    }
    const ids = [kept, removed] as const;
    const post = (path: string, more: object) => flow.client.post(`${API}/${path}`, more);
    const work = Array.from({ length: 12 }, (_, n) => {
      const id = ids[n % 2] ?? kept;
      return [
        () => post("point_allotments", { customer_id: id, point_value: 10 }),
        () => post("point_allotments", { customer_id: id, point_value: -3 }),
        () => post("coupons", { customer_id: id, point_value: 5 }),
        () => post("reservations", { customer_id: id, point_value: 2, ttl_seconds: 600 }),
        () => flow.client.put(`${API}/customers/${id}`, { name: `Name ${n}` }),
        async () => {
          const events = [body(1, [line("a", { price: 700 })]), shipped(2, "f1", { a: 1 })];
          await flow.take(...ofOrder(`${round}-${n}`, id, events));
          return { status: 200 };
        },
      ];
    }).flat();
    const answers = await Promise.all([
      ...work.slice(0, 30).map((each) => each()),
      send("CustomerMerged", { kept_id: kept, removed_id: removed }),
      processSoon(),
      ...work.slice(30).map((each) => each()),
    ]);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    await processAllReceipts(flow.deps);
    const expected = 2_000 + 12 * (10 - 3 - 5 - 2 + 7);
    for (const id of ids) expect(await flow.balance(id)).toBe(expected);
    expect((await flow.client.get(`${API}/customers/${removed}`)).body.data.id).toBe(kept);
    const [spend] = await flow.deps.db.query<{ minor: bigint; owners: bigint }>(
      `select sum(spend_minor)::bigint as minor, count(distinct customer_uid) as owners
       from order_spend where order_id like $1`,
      [`${round}-%`],
    );
    expect(spend).toEqual({ minor: 12n * 700n, owners: 1n });
  }
});

async function processSoon(): Promise<{ status: number }> {
  await processAllReceipts(flow.deps);
  return { status: 200 };
}

test("merges of one family at once, told several times, end as one customer", async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => `${name}${round}`) as [string, string, string, string]; // cast: four names
    for (const id of [a, b, c, d]) {
      await flow.customer(id);
      await flow.give(id, 10);
    }
    const merge = (removedId: string, keptId: string) => mergeInto(flow.deps, removedId, keptId);
    const told = [
      [a, b],
      [c, b],
      [b, d],
      [a, b],
      [b, d],
    ] as const;
    await Promise.all(told.map(([removed, kept]) => merge(removed, kept)));
    for (const [removed, kept] of told) await merge(removed, kept);
    for (const id of [a, b, c, d]) expect(await flow.balance(id)).toBe(40);
  }
});
