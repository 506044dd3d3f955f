import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { processAllReceipts } from "../../../src/intake/process-all-receipts.ts";
import { processOrderReceipts } from "../../../src/intake/process-order-receipts.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { type IntakeService, startIntakeService } from "../../support/intake.ts";
import { dumpIntake, processSingly } from "../../support/intake-dump.ts";

const OPTIONS = {
  now: "2026-03-01T00:00:00Z",
  log: () => {},
  program: {
    store: { currency: "USD" },
    rewards: { signup: 100, marketing_opt_in: 30 },
    earning: { pending_days: 0, excluded_customer_tags: ["staff"] },
    tiers: { rules: [{ name: "Member", currency_spent_requirement: 0, point_value: 1, currency_value: 1 }] },
  },
};
const RECORDED = JSON.parse(
  readFileSync(
    new URL("../../fixtures/shopify/shopify-docs-2026-07-orders-create-discount-code.json", import.meta.url),
    "utf8",
  ),
);
const PROCESSED_AT = "2026-02-10T00:00:00Z";

let singly: IntakeService;
let inSets: IntakeService;

beforeAll(async () => {
  [singly, inSets] = await Promise.all([startIntakeService(OPTIONS), startIntakeService(OPTIONS)]);
});
afterAll(() => Promise.all([singly.stop(), inSets.stop()]));

const minute = (n: number) => Temporal.Instant.from("2026-02-20T00:00:00Z").add({ minutes: n }).toString();
const customerId = (person: number) => 7_000_000 + person;

/** The customer of a recorded order's body, as of a minute. */
function customerAt(person: number, n: number, said: object = {}): object {
  return {
    ...RECORDED.customer,
    id: customerId(person),
    admin_graphql_api_id: `gid://shopify/Customer/${customerId(person)}`,
    email: `Person-${person}@example.com`,
    state: "enabled",
    updated_at: minute(n),
    ...said,
  };
}

/** A recorded order's body, as of a minute, paid and shipped. */
function orderAt(order: number, n: number, customer: object | null, said: object = {}): object {
  return {
    ...RECORDED,
    id: order,
    admin_graphql_api_id: `gid://shopify/Order/${order}`,
    created_at: PROCESSED_AT,
    processed_at: PROCESSED_AT,
    updated_at: minute(n),
    customer,
    total_outstanding: "0.00",
    line_items: RECORDED.line_items.map((line: object) => ({ ...line, id: order * 10 })),
    fulfillment_status: "fulfilled",
    fulfillments: [
      {
        id: order * 10 + 1,
        order_id: order,
        status: "success",
        created_at: PROCESSED_AT,
        updated_at: PROCESSED_AT,
        line_items: [{ id: order * 10, quantity: 1 }],
      },
    ],
    ...said,
  };
}

async function send(services: readonly IntakeService[], id: string, body: object): Promise<void> {
  const topic = "line_items" in body ? "orders/updated" : "customers/update";
  for (const service of services)
    expect((await service.deliver(topic, JSON.stringify(body), { id, headers: {} })).status).toBe(200);
}

const people = Array.from({ length: 6 }, (_, n) => n);

test("orders of customers who are as stored are one transaction, the newer versions kept with them", async () => {
  for (const person of people) await send([inSets, singly], `known-${person}`, customerAt(person, 0));
  await Promise.all([inSets.drain(), processSingly(singly)]);
  const orders = Array.from({ length: 30 }, (_, n) => 1_000 + n);
  for (const order of orders) {
    const body = orderAt(order, 1, customerAt(order % 6, order % 3));
    await send([inSets, singly], `first-${order}`, body);
  }
  const { processed, busy, alone } = await processOrderReceipts(
    inSets.deps,
    orders.map((order) => `order/${order}`),
  );
  expect([processed.length, busy, alone]).toEqual([30, [], []]);
  const [written] = await inSets.deps.db.query(
    `select count(*)::int as rows, count(distinct xmin::text)::int as transactions
     from (select xmin from store_order union all select xmin from receipt where subject like 'order/%'
       union all select xmin from customer where profile_at = '${minute(2)}') r`,
  );
  expect(written).toEqual({ rows: 62, transactions: 1 });
  await processSingly(singly);
  expect(await dumpIntake(inSets)).toEqual(await dumpIntake(singly));
  const [{ posted } = { posted: 0n }] = await inSets.deps.db.query<{ posted: bigint }>(
    "select count(*) as posted from order_posting where version is not null",
  );
  expect(posted).toBeGreaterThanOrEqual(30n);
});

const CHANGES: readonly (readonly [string, object])[] = [
  ["tags", { tags: "vip" }],
  ["a name", { last_name: "Jones" }],
  ["an e-mail", { email: "elsewhere@example.com" }],
  ["a signup to be rewarded", { created_at: "2026-03-02T00:00:00Z" }],
  [
    "an opt-in to be rewarded",
    { email_marketing_consent: { state: "subscribed", consent_updated_at: "2026-03-03T00:00:00Z" } },
  ],
  ["other tags at a time before", { updated_at: minute(-60), tags: "staff" }],
];

test.each(CHANGES)("an order that states %s is processed by itself, to the same end", async (what, said) => {
  const n = CHANGES.findIndex(([name]) => name === what);
  const [person, order] = [100 + n, 2_000 + n];
  await send([inSets, singly], `${what}-customer`, customerAt(person, 0));
  await Promise.all([inSets.drain(), processSingly(singly)]);
  await send([inSets, singly], `${what}-order`, orderAt(order, 2, customerAt(person, 1, said)));
  const subject = `order/${order}`;
  expect(await processOrderReceipts(inSets.deps, [subject])).toEqual({ processed: [], busy: [], alone: [subject] });
  await Promise.all([inSets.drain(), processSingly(singly)]);
  expect(await dumpIntake(inSets)).toEqual(await dumpIntake(singly));
});

test("an order of an unknown customer, or under whose e-mail a guest's order waits, is processed by itself", async () => {
  await send([inSets, singly], "nobody", orderAt(3_000, 1, customerAt(200, 0)));
  expect((await processOrderReceipts(inSets.deps, ["order/3000"])).alone).toEqual(["order/3000"]);
  await Promise.all([inSets.drain(), processSingly(singly)]);
  const email = "person-201@example.com";
  await send([inSets, singly], "guest", orderAt(3_001, 1, null, { email }));
  await Promise.all([inSets.drain(), processSingly(singly)]);
  for (const { client } of [inSets, singly]) {
    expect((await client.put(`/api/storefront/customers/${customerId(201)}`, { email })).status).toBeLessThan(300);
  }
  await send(
    [inSets, singly],
    "named",
    orderAt(
      3_002,
      1,
      customerAt(201, 0, {
        first_name: undefined,
        last_name: undefined,
        state: undefined,
        tags: undefined,
        email_marketing_consent: undefined,
      }),
    ),
  );
  expect((await processOrderReceipts(inSets.deps, ["order/3002"])).alone).toEqual(["order/3002"]);
  await Promise.all([inSets.drain(), processSingly(singly)]);
  expect(await dumpIntake(inSets)).toEqual(await dumpIntake(singly));
});

const SAID: Readonly<Record<string, object>> = {
  same: {},
  older: { updated_at: minute(-5) },
  tags: { tags: "vip, regular" },
  name: { first_name: "Jane" },
  consent: { email_marketing_consent: { state: "subscribed", consent_updated_at: "2026-03-03T00:00:00Z" } },
};

const deeds = fc.array(
  fc.record({
    deed: fc.constantFrom("same", "same", "same", "same", "older", "tags", "name", "consent", "cancel", "guest"),
    order: fc.integer({ min: 0, max: 9 }),
  }),
  { minLength: 10, maxLength: 40, size: "max" },
);

test("bodies of orders come to the same customers and ledger, processed singly or in sets", async () => {
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(deeds, async (told) => {
      const run = ++runs;
      const bodies = told.map(({ deed, order }, n) => {
        const [id, owner] = [run * 10_000 + order, run * 1_000 + (order % 5)];
        if (deed === "guest")
          return orderAt(id + 100, n, null, { email: `person-${run * 1_000 + (order % 5)}@example.com` });
        const said = deed === "cancel" ? { cancelled_at: minute(n), cancel_reason: "customer" } : {};
        return orderAt(id, n, customerAt(owner, n, SAID[deed]), said);
      });
      const half = Math.ceil(bodies.length / 2);
      for (const [n, body] of bodies.entries()) {
        await send([inSets, singly], `${run}-${n}`, body);
        if (n === half) await Promise.all([processSingly(singly), inSets.drain()]);
      }
      await Promise.all([processSingly(singly), inSets.drain()]);
      expect(await dumpIntake(inSets)).toEqual(await dumpIntake(singly));
    }),
    { numRuns: exampleRuns(4), endOnFailure: true },
  );
});

test("two workers, and requests for the customers whom the bodies state: no deadlock, every version kept", async () => {
  const { deps, client } = inSets;
  for (const person of people) await send([inSets], `busy-${person}`, customerAt(900 + person, 0));
  await inSets.drain();
  const deadlocks = () => deps.db.query("select deadlocks from pg_stat_database where datname = current_database()");
  const before = await deadlocks();
  for (let n = 1; n <= 90; n++) await send([inSets], `busy-o${n}`, orderAt(4_000 + n, n, customerAt(900 + (n % 6), n)));
  const award = async (person: number) => {
    for (let n = 0; n < 15; n++) {
      const body = { customer_id: String(customerId(900 + person)), point_value: 3 };
      expect((await client.post("/api/storefront/point_allotments", body)).status).toBe(200);
    }
  };
  await Promise.all([processAllReceipts(deps), processAllReceipts(deps), ...people.toReversed().map(award)]);
  expect((await inSets.receipts()).filter(({ state }) => state !== "done")).toEqual([]);
  expect(await deadlocks()).toEqual(before);
  const kept = await deps.db.query<{ at: Temporal.Instant }>(
    "select profile_at as at from customer where email = any($1) order by 1",
    [people.map((person) => `person-${900 + person}@example.com`)],
  );
  expect(kept.map(({ at }) => at.toString())).toEqual(people.map((n) => minute(85 + n)));
  await dumpIntake(inSets);
});
