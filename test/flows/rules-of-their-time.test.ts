import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../src/orders/order-checks.ts";
import { reviewOrders } from "../../src/orders/review-orders.ts";
import { applyProgram } from "../../src/shop/apply-program.ts";
import { ensureProgram } from "../../src/shop/ensure-program.ts";
import { designateTiers } from "../../src/tiers/designate-tiers.ts";
import { startTestService, type TestService } from "../support/service.ts";

const START = "2026-03-10T00:00:00Z";
const CHECK = "2026-04-01T00:00:00Z";
const NOW = "2026-04-20T00:00:00Z";

/** A dollar store of two tiers: 1 point and 10 points a dollar, Gold from 500 dollars a month on. */
const FIRST = {
  store: { currency: "USD", time_zone: "UTC" },
  earning: { excluded_customer_tags: ["wholesale"] },
  tiers: {
    window_months: 1,
    rules: [
      { name: "Basic", point_value: 1, currency_value: 100 },
      { name: "Gold", currency_spent_requirement: 50_000, point_value: 10, currency_value: 100 },
    ],
  },
};
/** Twice the points, and other tags. */
const SECOND = {
  earning: { excluded_customer_tags: ["staff"] },
  tiers: {
    rules: [
      { name: "Basic", point_value: 2, currency_value: 100 },
      { name: "Gold", currency_spent_requirement: 50_000, point_value: 20, currency_value: 100 },
    ],
  },
};

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: START });
});
afterAll(async () => {
  const lines: string[] = [];
  await verifyLedger(service.deps.db, (line) => lines.push(line), ORDER_CHECKS);
  expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([]);
  await service.stop();
});

beforeEach(reset);
async function reset(): Promise<void> {
  const { db } = service.deps;
  service.clock.set(START);
  const tables = ["designation", "customer_tier", "tier_change", "order_spend", "program_version"];
  for (const table of [...tables, "program_review", "order_review"]) await db.execute(`delete from ${table}`);
  await ensureProgram(service.deps);
  service.clock.set(NOW);
}

let run = 0;

function sold(id: string, customer: string, at: string, cents: number): object {
  return {
    type: "OrderPaid",
    delivery_key: `sold-${id}-${++run}`,
    occurred_at: at,
    payload: {
      order_id: id,
      customer_id: customer,
      shop_currency: "USD",
      taxes_included: true,
      processed_at: at,
      lines: [{ line_id: `${id}-1`, quantity: 1, unit_price: { minor: cents, currency: "USD" } }],
      fulfillments: [{ fulfillment_id: `${id}-F`, created_at: at, lines: [{ line_id: `${id}-1`, quantity: 1 }] }],
    },
  };
}

function tagged(customer: string, at: string, members: object): object {
  const delivery_key = `tags-${customer}-${++run}`;
  return { type: "CustomerUpserted", delivery_key, occurred_at: at, payload: { customer_id: customer, ...members } };
}

async function told(...events: object[]): Promise<void> {
  expect((await service.client.post("/intake/events", events)).status).toBe(202);
  await processAllReceipts(service.deps);
}

async function apply(document: object, from?: string): Promise<void> {
  const validFrom = from === undefined ? null : Temporal.Instant.from(from);
  await applyProgram(service.deps, { document, author: "test", isDryRun: false, validFrom });
}

const review = () => reviewOrders(service.deps);

/** The late check, and what it leaves to be judged; a check waits until what its window hangs on is judged. */
async function check(): Promise<void> {
  await review();
  await designateTiers(service.deps);
}

async function awarded(...ids: string[]): Promise<(number | undefined)[]> {
  const { data } = (await service.client.get(`/api/storefront/orders?ids=${ids.join(",")}`)).body;
  return ids.map((id) => {
    expect(data[id]?.points_awarded).toBe(data[id]?.awardable_points);
    return data[id]?.points_awarded;
  });
}

describe("a tier check that runs late", () => {
  test("orders of its first seconds earn at the tier that it gave, told before it ran, while it ran and after", async () => {
    await apply(FIRST);
    const customers = Array.from({ length: 40 }, (_, n) => `late-${n}`);
    await told(...customers.map((id) => sold(`${id}-big`, id, "2026-03-20T00:00:00Z", 60_000)));
    const first = "2026-04-01T00:00:05Z";
    const orderOf = (id: string) => sold(`${id}-first`, id, first, 10_000);
    await told(...customers.slice(0, 15).map(orderOf));
    await told(sold("late-0-before", "late-0", "2026-03-31T23:59:59Z", 10_000));
    const during = Promise.all(customers.slice(15, 30).map((id) => told(orderOf(id))));
    await designateTiers(service.deps, { chunkCustomers: 2 });
    await during;
    await told(...customers.slice(30).map(orderOf));
    await review();
    expect(new Set(await awarded(...customers.map((id) => `${id}-first`)))).toEqual(new Set([1_000]));
    expect(await awarded("late-0-before", "late-0-big")).toEqual([100, 600]);
    expect(await service.deps.db.query("select from order_review")).toEqual([]);
  });
});

describe("excluded tags", () => {
  test("count as of the processed time, whichever event comes first; a later tag changes nothing", async () => {
    await apply(FIRST);
    const [before, given, after] = ["2026-04-02T00:00:00Z", "2026-04-02T00:10:00Z", "2026-04-02T00:30:00Z"];
    await told(
      tagged("t1", given, { tags: ["Wholesale "] }),
      sold("t1-a", "t1", after, 10_000),
      sold("t1-b", "t1", before, 10_000),
    );
    await told(
      sold("t2-a", "t2", after, 10_000),
      sold("t2-b", "t2", before, 10_000),
      tagged("t2", given, { tags: ["wholesale"] }),
    );
    await review();
    expect(await awarded("t1-a", "t1-b", "t2-a", "t2-b")).toEqual([0, 100, 0, 100]);
    // an order told a month after, and again
    await told(sold("t1-c", "t1", "2026-03-15T00:00:00Z", 10_000), sold("t2-b", "t2", before, 10_000));
    await review();
    expect(await awarded("t1-c", "t2-b")).toEqual([100, 100]);
  });

  test("given and taken away by the platform's own events, told in the wrong order", async () => {
    await apply(FIRST);
    const day = (n: number) => `2026-04-0${n}T00:00:00Z`;
    const orders = [1, 3, 5, 7].map((n) => sold(`d-${n}`, "d", day(n), 10_000));
    await told(
      tagged("d", day(6), { tags_removed: ["wholesale"] }),
      ...orders,
      tagged("d", day(2), { tags_added: ["wholesale"] }),
    );
    await review();
    expect(await awarded("d-1", "d-3", "d-5", "d-7")).toEqual([100, 0, 0, 100]);
    const admin = (await service.client.get("/api/storefront/point_balances/d")).body.data;
    expect(admin.point_balance).toBe(200);
  });
});

describe("a program with a start in the past", () => {
  test("orders processed at or after it are judged again, those before are not; versions stay", async () => {
    await apply(FIRST);
    await told(sold("p-1", "p", "2026-04-04T23:59:59Z", 10_000), sold("p-2", "p", "2026-04-05T00:00:00Z", 10_000));
    await apply(SECOND, "2026-04-05T00:00:00Z");
    await review();
    expect(await awarded("p-1", "p-2")).toEqual([100, 200]);
    await told(sold("p-3", "p", "2026-04-01T00:00:00Z", 10_000), sold("p-4", "p", "2026-04-06T00:00:00Z", 10_000));
    expect(await awarded("p-3", "p-4")).toEqual([100, 200]);
    // the same document again, from an earlier time
    await apply({}, "2026-04-03T00:00:00Z");
    await review();
    expect(await awarded("p-1", "p-2", "p-3")).toEqual([200, 200, 100]);
    const versions = await service.deps.db.query(
      "select version, valid_from::text as start from program_version order by version",
    );
    expect(versions).toEqual([
      { version: 1, start: null },
      { version: 2, start: null },
      { version: 3, start: "2026-04-05 00:00:00+00" },
      { version: 4, start: "2026-04-03 00:00:00+00" },
    ]);
    await expect(apply({}, "2026-04-21T00:00:00Z")).rejects.toMatchObject({
      code: "invalid",
      faults: [{ pointer: "/valid_from" }],
    });
  });

  test("the tier of a moment shows the rules that orders of that moment are judged by", async () => {
    await apply(FIRST);
    await told(sold("m-1", "m", "2026-04-04T00:00:00Z", 10_000));
    await apply(SECOND, "2026-04-05T00:00:00Z");
    const ratio = async (at: string) => {
      const { data } = (await service.client.get(`/api/storefront/point_balances/m/tier?as_of=${at}`)).body;
      return data.advancement_data.tiers[0].ratio;
    };
    service.clock.set("2026-04-21T00:00:00Z");
    expect(await ratio("2026-04-20T00:00:00Z")).toBe(0.02);
  });
});

/** What the page says an order earns, from the page alone. */
interface Story {
  readonly orders: readonly { readonly customer: number; readonly day: number; readonly cents: number }[];
  readonly tags: readonly {
    readonly customer: number;
    readonly day: number;
    readonly kind: "set" | "add" | "remove";
    readonly tag: string;
  }[];
  /** Day since 1 March from which the second program holds. */
  readonly from: number;
}
const CHECK_DAY = 31;

function tagsOf(story: Story, customer: number, day: number): Set<string> {
  const own = story.tags.filter((one) => one.customer === customer).toSorted((a, b) => a.day - b.day);
  const firstSet = own.findIndex(({ kind }) => kind === "set");
  let tags = new Set<string>();
  const open = firstSet === -1 ? own : own.slice(0, firstSet);
  for (const { tag } of open) if (open.find((one) => one.tag === tag)?.kind === "remove") tags.add(tag);
  for (const one of own.filter((each) => each.day <= day)) {
    if (one.kind === "set") tags = new Set([one.tag]);
    else if (one.kind === "add") tags.add(one.tag);
    else tags.delete(one.tag);
  }
  return tags;
}

function modelPoints(story: Story): number[] {
  const isOut = (customer: number, day: number) =>
    tagsOf(story, customer, day).has(day >= story.from ? "staff" : "wholesale");
  const spent = new Map<number, number>();
  for (const { customer, day, cents } of story.orders) {
    if (day < CHECK_DAY && !isOut(customer, day)) spent.set(customer, (spent.get(customer) ?? 0) + cents);
  }
  return story.orders.map(({ customer, day, cents }) => {
    if (isOut(customer, day)) return 0;
    const isGold = day >= CHECK_DAY && (spent.get(customer) ?? 0) >= 50_000;
    return Math.ceil((cents * (isGold ? 10 : 1) * (day >= story.from ? 2 : 1)) / 100);
  });
}

const at = (day: number) =>
  Temporal.Instant.from("2026-03-01T00:00:00Z")
    .add({ hours: Math.round(24 * day) })
    .toString();

const stories = fc.record({
  orders: fc.array(
    fc.record({
      customer: fc.nat(2),
      day: fc.integer({ min: 40, max: 190 }).map((quarter) => quarter / 4),
      cents: fc.integer({ min: 1, max: 60_000 }),
    }),
    { minLength: 4, maxLength: 12 },
  ),
  // At odd hours, each at its own time: an order's time is never one of a tag.
  tags: fc.uniqueArray(
    fc.record({
      customer: fc.nat(2),
      day: fc.integer({ min: 40, max: 190 }).map((quarter) => (quarter + 0.5) / 4),
      kind: fc.constantFrom("set" as const, "add" as const, "remove" as const),
      tag: fc.constantFrom("wholesale", "staff"),
    }),
    { selector: ({ customer, day }) => `${customer}@${day}`, maxLength: 8 },
  ),
  from: fc.integer({ min: CHECK_DAY, max: 45 }),
  shuffle: fc.infiniteStream(fc.nat(1_000_000)),
});

test("in whatever order programs, checks, tags and orders come, the end is that of their times", {
  timeout: 240_000,
}, async () => {
  const CHECK_AT = Temporal.Instant.from(CHECK);
  await fc.assert(
    fc.asyncProperty(stories, async ({ shuffle, ...story }) => {
      await reset();
      const prefix = `s${++run}`;
      const customer = (n: number) => `${prefix}-c${n}`;
      const orderEvents = story.orders.map(({ day, cents, ...order }, n) => ({
        day,
        event: sold(`${prefix}-o${n}`, customer(order.customer), at(day), cents),
      }));
      const tagEvents = story.tags.map(({ day, kind, tag, ...one }) => {
        const members = kind === "set" ? { tags: [tag] } : { [kind === "add" ? "tags_added" : "tags_removed"]: [tag] };
        return { day, event: tagged(customer(one.customer), at(day), members) };
      });
      // A check is never made again: what counts in its window, and the first program, come before it, the rest at any time.
      const isEarly = ({ day }: { day: number }) => Temporal.Instant.compare(at(day), CHECK_AT) < 0;
      const events = [...orderEvents, ...tagEvents];
      const mixed = <T>(all: readonly T[]) =>
        all
          .map((one) => ({ one, key: shuffle.next().value ?? 0 }))
          .toSorted((a, b) => a.key - b.key)
          .map(({ one }) => one);
      const rest = mixed(events.filter((event) => !isEarly(event)));
      const split = rest.length === 0 ? 0 : (shuffle.next().value ?? 0) % rest.length;
      const tell =
        ({ event }: { event: object }) =>
        () =>
          told(event);
      const early = mixed([
        ...[...events.filter(isEarly), ...rest.slice(0, split)].map(tell),
        () => apply(FIRST),
        ...(split % 2 === 0 ? [review] : []),
      ]);
      const late = mixed([...rest.slice(split).map(tell), () => apply(SECOND, at(story.from)), review]);
      for (const step of [...early, check, ...late, review]) await step();
      const ids = story.orders.map((_, n) => `${prefix}-o${n}`);
      expect(await awarded(...ids)).toEqual(modelPoints(story));
    }),
    { numRuns: 12 },
  );
});
