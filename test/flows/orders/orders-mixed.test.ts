import fc from "fast-check";
import { afterEach, expect, test } from "vitest";
import type { OrderEvent } from "../../../src/orders/facts/merge-facts.ts";
import { readOrder, selectPostings } from "../../../src/orders/order-queries.ts";
import { planOrderPostings } from "../../../src/orders/plan/plan-order-postings.ts";
import { recomputeOrder } from "../../../src/orders/review/recompute-order.ts";
import { reviewOrders } from "../../../src/orders/review/review-orders.ts";
import { applyProgram } from "../../../src/program/apply-program.ts";
import { mergeInto } from "../../support/customers.ts";
import { exampleRuns } from "../../support/example-runs.ts";
import { body, cancelled, line, money, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";

/** Two weighed goods, a download, and a discount that no line carries: 100 points, whatever is delivered how. */
const LINES = [
  line("a", { price: 2_000, quantity: 2.5 }),
  line("b", { price: 3_000 }),
  { ...line("c", { price: 3_000 }), requiresShipping: false },
];
const STATED = { goodsDiscount: money(1_000) };

const DEEDS = [
  ["ship a", "ship a", "ship b", "status", "no status", "unship", "return", "cancel", "pay"],
  ["move", "move", "spend", "spend", "merge", "delete", "rate", "recompute", "older keys", "again"],
].flat();

let flow: OrderFlow;
let runs = 0;
afterEach(() => flow.stop());

/** An order and its customers, and what is done to them. */
class Story {
  readonly order = `mix-${++runs}`;
  readonly #people = [0, 1, 2].map((n) => `${this.order}-c${n}`);
  readonly #told: OrderEvent[] = [];
  #owner = this.#people[0] ?? "";
  #shipped: (readonly [id: string, at: number, units: Readonly<Record<string, number>>])[] = [];
  #at = 1;
  isSpent = false;

  async begin(): Promise<void> {
    for (const person of this.#people) await flow.customer(person);
    await this.#send(body(1, LINES, { ...STATED, paid: false }));
  }

  async does(deed: string, n: number): Promise<void> {
    this.#at += 2;
    const at = this.#at;
    switch (deed) {
      case "ship a":
        return this.#ship({ a: [0.5, 1, 2.5][n % 3] ?? 1 });
      case "ship b":
        return this.#ship({ b: 1 });
      case "status":
        return this.#send(body(at, LINES, { ...STATED, isFulfilledWhole: true }));
      case "no status":
        return this.#send(body(at, LINES, { ...STATED, isFulfilledWhole: false }));
      case "pay":
        return this.#send(body(at, LINES, STATED));
      case "unship": {
        const [id, since, units] = this.#shipped.pop() ?? [];
        return id === undefined || since === undefined || units === undefined
          ? undefined
          : this.#send(shipped(since, id, units, "cancelled", at));
      }
      case "return":
        return this.#send(refunded(at, `r${at}`, { lines: [["a", 0.5, 900]], moved: n % 2 === 0 ? 900 : null }));
      case "cancel":
        return n % 4 === 0 ? this.#send(cancelled(at)) : undefined;
      case "move":
        this.#owner = this.#person(n);
        return this.#send(body(at, LINES, STATED));
      case "again":
        return flow.take(...ofOrder(this.order, this.#owner, this.#told));
      default:
        return this.#change(deed, n);
    }
  }

  async #change(deed: string, n: number): Promise<void> {
    switch (deed) {
      case "spend": {
        const { body: told } = await flow.client.get(`/api/storefront/point_balances/${this.#person(n)}`);
        const points = told.data?.point_balance ?? 0; // nobody's where they were deleted
        if (points < 2) return;
        this.isSpent = true;
        return flow.give(this.#person(n), -Math.ceil(points / ((n % 2) + 1)));
      }
      case "merge":
        return n % 3 === 0 ? mergeInto(flow.deps, this.#person(n), this.#person(n + 1)).catch(onlyRefused) : undefined;
      case "delete":
        if (n % 4 !== 0) return;
        this.isSpent = true;
        return flow.remove(this.#person(n));
      case "rate": {
        const document = { earning: { point_value: 1 + (n % 3) } };
        const validFrom = Temporal.Instant.from("2026-02-01T00:00:00Z");
        await applyProgram(flow.deps, { document, author: "test", isDryRun: false, validFrom });
        await reviewOrders(flow.deps);
        return;
      }
      case "recompute":
        await flow.deps.db.tx((tx) => recomputeOrder(tx, flow.deps, this.order));
        return;
      default:
        return this.#age();
    }
  }

  #person(n: number): string {
    return this.#people[n % 3] ?? "";
  }

  async #ship(units: Readonly<Record<string, number>>): Promise<void> {
    const id = `f${this.#at}`;
    this.#shipped.push([id, this.#at, units]);
    await this.#send(shipped(this.#at, id, units));
  }

  async #send(event: OrderEvent): Promise<void> {
    this.#told.push(event);
    await flow.take(...ofOrder(this.order, this.#owner, [event]));
  }

  /** What it posted so far has the keys that older versions gave it. */
  async #age(): Promise<void> {
    for (const [table, column] of [
      ["order_posting", "cause"],
      ["allotment", "source_key"],
    ]) {
      await flow.owner.execute(
        `update ${table} set ${column} = regexp_replace(${column}, '^(fulfillment|tax|refund)/${this.order}/', '\\1/')
where ${column} like any(array['fulfillment/${this.order}/%', 'refund/${this.order}/%'])`,
      );
    }
  }
}

function onlyRefused(error: unknown): void {
  if (!(error instanceof Error) || !/merge|deleted|itself|same/i.test(error.message)) throw error;
}

/** What the order awards by its facts and rules alone, and what it really gave and did not take. */
async function sums(
  order: string,
): Promise<{ readonly due: bigint; readonly kept: bigint; readonly isOwned: boolean }> {
  return flow.deps.db.tx(async (tx) => {
    const known = await readOrder(tx, order);
    if (known?.rules === undefined || known.rules === null) throw new Error("it was evaluated");
    const rows = await selectPostings(tx, order);
    const { pointsAwarded: due } = planOrderPostings({
      facts: known.facts,
      rules: known.rules,
      products: new Map(),
      alreadyPosted: [],
      coupons: [],
      now: flow.clock.now(),
    });
    const kept = rows.reduce((sum, { taken, takenElsewhere }) => sum + taken - takenElsewhere, 0n);
    const [owner] = await tx.query<{ isDeleted: boolean }>(
      'select b.is_deleted as "isDeleted" from store_order o join balance b using (bucket, customer_uid) where o.order_id = $1',
      [order],
    );
    return { due, kept, isOwned: owner?.isDeleted === false };
  });
}

test.each(["cap", "owe", "refuse"])(
  "an order gives what it awards, and more only by what had been spent, whatever is done to it (%s)",
  async (shortfall) => {
    flow = await startOrderFlow({ program: { refunds: { shortfall } } });
    const deed = fc.tuple(fc.constantFrom(...DEEDS), fc.nat(11));
    await fc.assert(
      fc.asyncProperty(fc.array(deed, { minLength: 4, maxLength: 14 }), async (deeds) => {
        const story = new Story();
        await story.begin();
        let before = 0n;
        for (const [name, n] of deeds) {
          await story.does(name, n);
          const { due, kept, isOwned } = await sums(story.order);
          const told = `${name} ${n}: ${kept} kept, ${due} due, ${before} before`;
          if (isOwned) {
            expect([told, kept >= due]).toEqual([told, true]);
            expect([told, kept <= (before > due ? before : due)]).toEqual([told, true]);
            if (!story.isSpent) expect([told, kept]).toEqual([told, due]);
          }
          before = kept;
        }
        expect(await flow.faults()).toEqual([]);
      }),
      { numRuns: exampleRuns(20), endOnFailure: true },
    );
  },
);
