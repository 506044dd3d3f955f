import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleRuns } from "../../support/example-runs.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { dumpIntake, processSingly } from "../../support/intake-dump.ts";
import { orderCancelled, orderPaid, orderRefunded, orderShipped } from "../../support/order-wires.ts";

const OPTIONS = {
  now: "2026-03-01T00:00:00Z",
  program: {
    store: { currency: "JPY" },
    earning: { excluded_customer_tags: ["staff"], excluded_product_tags: ["outlet"] },
  },
};

let singly: IntakeService;
let inSets: IntakeService;

beforeAll(async () => {
  [singly, inSets] = await Promise.all([startIntakeService(OPTIONS), startIntakeService(OPTIONS)]);
});
afterAll(() => Promise.all([singly.stop(), inSets.stop()]));

const DEEDS = [
  ["pay", "pay", "ship a", "ship a", "ship b", "ship b", "return", "return", "cancel"],
  ["price", "move", "guest", "sample", "code", "product", "tags", "unknown"],
].flat();

/** What a store's script sends of one deed. Orders and people are few, so that deeds meet; `run` keeps the runs apart. */
function eventOf(run: string, n: number, { deed, order, person }: StoreEvent): object {
  const [id, owner, other] = [`${run}-o${order}`, `${run}-c${order % 5}`, `${run}-c${person}`];
  switch (deed) {
    case "ship a":
      return orderShipped(id, "a", n);
    case "ship b":
      return orderShipped(id, "b", n);
    case "return":
      return orderRefunded(id, "a", n);
    case "cancel":
      return order % 3 === 0 ? orderCancelled(id, n) : orderPaid(id, owner, n);
    case "price":
      return orderPaid(id, owner, n, { price: 400 + person * 300 });
    case "move":
      return orderPaid(id, other, n);
    case "guest":
      return orderPaid(id, null, n, { email: `${other}@example.com` });
    case "sample":
      return { ...orderPaid(`${id}-test`, `${id}-tester`, n), test: true }; // without a customer: a test order creates none
    case "code":
      return orderPaid(id, owner, n, { coupons: [{ code: "TEN", amount: { minor: 100, currency: "JPY" } }] });
    case "product":
      return { type: "ProductUpserted", delivery_key: `p-${n}`, payload: { product_id: `${id}-p`, tags: ["outlet"] } };
    case "tags":
      return { type: "CustomerUpserted", delivery_key: `t-${n}`, payload: { customer_id: other, tags: ["staff"] } };
    case "unknown":
      return orderShipped(`${id}-never`, "a", n);
    default:
      return orderPaid(id, owner, n, person % 2 === 0 ? {} : { email: `${owner}@example.com` });
  }
}

interface StoreEvent {
  readonly deed: string;
  readonly order: number;
  readonly person: number;
}

const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom(...DEEDS),
    order: fc.integer({ min: 0, max: 11 }),
    person: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 20, maxLength: 90, size: "max" },
);

test("the same events come to the same ledger, processed singly or in sets", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(deeds, fc.integer({ min: 1, max: 3 }), async (told, parts) => {
      const run = `r${++runs}`;
      const events = told.map((deed, n) => eventOf(run, n, deed));
      const size = Math.ceil(events.length / parts);
      for (let from = 0; from < events.length; from += size) {
        const some = events.slice(from, from + size);
        for (const { client } of [singly, inSets]) expect((await client.post("/intake/events", some)).status).toBe(202);
        await Promise.all([processSingly(singly), inSets.drain()]);
      }
      expect(await dumpIntake(inSets)).toEqual(await dumpIntake(singly));
    }),
    { numRuns: exampleRuns(8), endOnFailure: true },
  );
  const [{ posted } = { posted: 0n }] = await inSets.deps.db.query<{ posted: bigint }>(
    "select count(*) as posted from order_posting where version is not null",
  );
  expect(posted).toBeGreaterThan(50n);
});
