import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processNextReceipt } from "../../src/intake/process-next-receipt.ts";
import { selectDueSubjects } from "../../src/intake/receipt-queries.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../src/orders/order-checks.ts";
import { type IntakeService, startIntakeService } from "../support/intake.ts";
import { orderCancelled, orderPaid, orderRefunded, orderShipped } from "../support/order-wires.ts";

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
function eventOf(run: string, n: number, { deed, order, person }: Deed): object {
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
      return { ...orderPaid(`${id}-test`, `${id}-tester`, n), test: true }; // of nobody: a test order brings nobody in
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

interface Deed {
  readonly deed: string;
  readonly order: number;
  readonly person: number;
}

/** The first due receipt of every subject, then the next of each, as one that knows no sets would take them. */
async function processSingly({ deps }: IntakeService): Promise<void> {
  for (;;) {
    const due = await selectDueSubjects(deps.db);
    if (due.length === 0) return;
    for (const { subject } of due) await processNextReceipt(deps, subject);
  }
}

// Whatever hangs on neither the clock of the machine nor on random uids. Versions and balances of each moment hang on which order
// of a customer came first, which nothing says between two orders.
const DUMPS = [
  `select a.storefront_id, l.source_key, l.type, l.point_value, l.object, l.parent, l.action, l.origin, l.reason_type, l.extends,
    l.cascade, l.app_reference, l.program_version
  from allotment l join customer_alias a using (bucket, customer_uid) order by 1, 2`,
  `select a.storefront_id, b.ledger_points, b.owed_points, b.version
  from balance b join customer_alias a using (bucket, customer_uid) order by 1`,
  `select a.storefront_id, t.origin, t.extends, sum(t.remaining) as points
  from lot t join customer_alias a using (bucket, customer_uid) group by 1, 2, 3 order by 1, 2, 3`,
  `select o.order_id, a.storefront_id, o.platform, o.email, o.facts, o.rules - 'tier' as rules, o.awardable_points, o.awarded_points,
    o.redeemed_points, o.forgiven_points, o.due_at, o.state, o.processed_at, o.rules_for is null as is_unruled
  from store_order o left join customer_alias a using (bucket, customer_uid) order by 1`,
  `select p.order_id, p.cause, p.type, a.storefront_id, p.version is null as is_unposted, p.wanted, p.taken, p.outcome, p.taken_elsewhere
  from order_posting p left join customer_alias a using (bucket, customer_uid) order by 1, 2`,
  `select s.order_id, a.storefront_id, s.credited_at, s.spend_minor
  from order_spend s join customer_alias a using (bucket, customer_uid) order by 1`,
  "select kind, subject, detail from staff_task order by subject, detail::text",
  "select delivery_key, topic, subject, state, note, attempts from receipt order by uid",
];

async function dump({ deps }: IntakeService): Promise<unknown[]> {
  const lines: string[] = [];
  await verifyLedger(deps.db, (line) => lines.push(line), ORDER_CHECKS);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
  return Promise.all(DUMPS.map((text) => deps.db.query(text)));
}

const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom(...DEEDS),
    order: fc.integer({ min: 0, max: 11 }),
    person: fc.integer({ min: 0, max: 5 }),
  }),
  { minLength: 20, maxLength: 90, size: "max" },
);

test("the same events come to the same ledger, processed singly or in sets", { timeout: 180_000 }, async () => {
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
      expect(await dump(inSets)).toEqual(await dump(singly));
    }),
    { numRuns: 12, endOnFailure: true },
  );
  const [{ posted } = { posted: 0n }] = await inSets.deps.db.query<{ posted: bigint }>(
    "select count(*) as posted from order_posting where version is not null",
  );
  expect(posted).toBeGreaterThan(50n);
});
