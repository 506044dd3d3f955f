import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../../src/orders/order-checks.ts";
import { reviewOrders } from "../../src/orders/review/review-orders.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { ensureProgram } from "../../src/program/ensure-program.ts";
import { evaluateTiers } from "../../src/tiers/evaluate-tiers.ts";
import { TIER_CHECKS } from "../../src/tiers/tier-checks.ts";
import { startTestService, type TestService } from "./service.ts";

const START = "2026-03-10T00:00:00Z";
/** The first tier check after the store's start. */
export const CHECK = "2026-04-01T00:00:00Z";
const NOW = "2026-04-20T00:00:00Z";

/** A dollar store with two tiers: 1 point and 10 points per dollar, Gold from 500 dollars a month. */
export const FIRST = {
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
export const SECOND = {
  earning: { excluded_customer_tags: ["staff"] },
  tiers: {
    rules: [
      { name: "Basic", point_value: 2, currency_value: 100 },
      { name: "Gold", currency_spent_requirement: 50_000, point_value: 20, currency_value: 100 },
    ],
  },
};

/** A store in April that began in March, without a program that a person applied; nothing runs in the background. */
export interface DollarStore extends TestService {
  /** A new store in the same database: no program, tier or check. */
  reset(): Promise<void>;
  /** Sends events to `POST /intake/events` and processes them. */
  told(...events: object[]): Promise<void>;
  apply(document: object, from?: string): Promise<void>;
  /** Re-evaluates the orders that wait for it. */
  review(): Promise<void>;
  /** Makes the due check, after the evaluations that it needs. */
  check(): Promise<void>;
  /** The points of orders, each as much as it can award. */
  awarded(...ids: string[]): Promise<(number | undefined)[]>;
  faults(): Promise<string[]>;
}

export async function startDollarStore(): Promise<DollarStore> {
  const service = await startTestService({ worker: false, now: START });
  const { deps, client, clock } = service;
  const review = async () => void (await reviewOrders(deps));
  return {
    ...service,
    review,
    async reset() {
      clock.set(START);
      const tables = ["designation", "customer_tier", "tier_change", "order_spend", "program_version"];
      for (const table of [...tables, "program_review", "order_review"])
        await service.owner.execute(`delete from ${table}`);
      await ensureProgram(deps);
      clock.set(NOW);
    },
    async told(...events) {
      const answer = await client.post("/intake/events", events);
      if (answer.status !== 202) throw new Error(answer.text);
      await processAllReceipts(deps);
    },
    async apply(document, from) {
      const validFrom = from === undefined ? null : Temporal.Instant.from(from);
      await applyProgram(deps, { document, author: "test", isDryRun: false, validFrom });
    },
    async check() {
      await review();
      await evaluateTiers(deps);
    },
    async awarded(...ids) {
      const { data } = (await client.get(`/api/storefront/orders?ids=${ids.join(",")}`)).body;
      return ids.map((id) => {
        const { points_awarded: given, awardable_points: target } = data[id] ?? {};
        if (given !== target) throw new Error(`order ${id} gave ${given} of ${target}`);
        return given;
      });
    },
    async faults() {
      const lines: string[] = [];
      await verifyLedger(deps.db, (line) => lines.push(line), [...ORDER_CHECKS, ...TIER_CHECKS]);
      return lines.filter((line) => line.startsWith("FAIL"));
    },
  };
}

let told = 0;

/** An order of one line, paid and shipped at once. */
export function sold(id: string, customer: string, at: string, cents: number): object {
  const units = { line_id: `${id}-1`, quantity: 1 };
  return {
    type: "OrderPaid",
    delivery_key: `sold-${id}-${++told}`,
    occurred_at: at,
    payload: {
      order_id: id,
      customer_id: customer,
      shop_currency: "USD",
      taxes_included: true,
      processed_at: at,
      lines: [{ ...units, unit_price: { minor: cents, currency: "USD" } }],
      fulfillments: [{ fulfillment_id: `${id}-F`, created_at: at, lines: [units] }],
    },
  };
}

/** A customer's tags at a time, as the platform sends them. */
export function tagged(customer: string, at: string, fields: object): object {
  const delivery_key = `tags-${customer}-${++told}`;
  return { type: "CustomerUpserted", delivery_key, occurred_at: at, payload: { customer_id: customer, ...fields } };
}
