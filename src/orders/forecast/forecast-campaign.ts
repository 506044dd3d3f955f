import { selectCustomer } from "../../customers/customer-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { Campaign, Program } from "../../program/program.ts";
import { processedAt } from "../facts/order-facts.ts";
import { readOrder } from "../order-queries.ts";
import type { OrderRules } from "../plan/order-rules.ts";
import { unpinnedProducts } from "../plan/order-state.ts";
import { previewPlan } from "../preview/preview-plan.ts";
import { selectProducts } from "../products/select-products.ts";
import { readOrderRules } from "../read-order-rules.ts";
import { type ComparableDays, comparableDays } from "./comparable-days.ts";
import { countOrdersOf, countOrdersOfCustomers, selectOrdersOf } from "./forecast-queries.ts";
import { estimateCustomers } from "./sampled-customers.ts";

/** Totals of replayed orders, without a campaign and with it; the customers are those of all orders of the days. */
export interface ForecastSums {
  readonly orders: number;
  readonly customers: number;
  readonly pointsWithout: bigint;
  readonly pointsWith: bigint;
}

/** The effect of a campaign on the orders of comparable days, scaled to its whole time. */
export interface CampaignForecast extends ForecastSums {
  readonly days: ComparableDays;
  /** The orders of the days; the sums cover those that were replayed. */
  readonly ordersOfDays: number;
  readonly lookedAt: number;
  /** The factor that scales the sums to all orders and the whole time. */
  readonly scale: number;
  readonly tiers: readonly (ForecastSums & { readonly name: string })[];
}

const LOOKED_MAX = 1_500;

/**
 * Replays the orders of the last comparable days as if they came in a campaign, with the function that previews every order: each once by
 * the program with the campaign and once without. Replays a sample if there are many orders, and stops when `isOver` returns true. Writes
 * and locks nothing. The tiers are those that customers have at the time of the campaign, as far as known.
 */
export async function forecastCampaign(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { program, campaign }: { readonly program: Program; readonly campaign: Campaign },
  isOver: () => boolean,
): Promise<CampaignForecast> {
  const days = comparableDays(campaign, deps.clock.now(), program.store.timeZone);
  const ordersOfDays = await countOrdersOf(tx, days);
  const ids = await selectOrdersOf(tx, days, { total: ordersOfDays, limit: LOOKED_MAX });
  const programs = { plain: { ...program, campaigns: program.campaigns.filter((one) => one !== campaign) }, program };
  const later = campaign.startsAt.since(days.start);
  const sums = new Map(program.tiers.rules.map(({ uid, name }) => [uid, emptySums(name)]));
  let lookedAt = 0;
  for (const id of ids) {
    if (lookedAt > 0 && isOver()) break;
    lookedAt++;
    const replayed = await replay(tx, id, programs, later);
    if (replayed === null) continue;
    const sum = sums.get(replayed.tierUid);
    if (sum === undefined) throw new Error("an order has a tier of another program");
    sum.orders++;
    const seen = sum.customers.get(replayed.customerUid);
    sum.customers.set(replayed.customerUid, { bucket: replayed.bucket, sampled: (seen?.sampled ?? 0) + 1 });
    sum.pointsWithout += replayed.pointsWithout;
    sum.pointsWith += replayed.pointsWith;
  }
  const share = lookedAt === 0 ? 1 : ordersOfDays / lookedAt;
  const tiers = await countCustomers(tx, days, [...sums.values()], share);
  return { days, ordersOfDays, lookedAt, scale: share * days.times, tiers, ...allOf(tiers) };
}

interface ReplayedSums {
  readonly name: string;
  orders: number;
  readonly customers: Map<string, { readonly bucket: number; readonly sampled: number }>;
  pointsWithout: bigint;
  pointsWith: bigint;
}

function emptySums(name: string): ReplayedSums {
  return { name, orders: 0, customers: new Map(), pointsWithout: 0n, pointsWith: 0n };
}

/** Replaces the customers who were seen by the number of customers of all orders, which a sample only lets estimate. */
async function countCustomers(tx: Tx, days: ComparableDays, sums: readonly ReplayedSums[], share: number) {
  const seen = sums.flatMap(({ customers }) =>
    [...customers].map(([customerUid, { bucket }]) => ({ bucket, customerUid })),
  );
  const orders = share === 1 ? new Map<string, number>() : await countOrdersOfCustomers(tx, days, seen);
  return sums.map(({ customers, ...sum }) => {
    const sampled = [...customers].map(([uid, one]) => ({ sampled: one.sampled, orders: orders.get(uid) ?? 0 }));
    return { ...sum, customers: estimateCustomers(sampled, share) };
  });
}

/** Returns the sums over all tiers: a customer is in one tier. */
function allOf(tiers: readonly ForecastSums[]): ForecastSums {
  return tiers.reduce(
    (all, tier) => ({
      orders: all.orders + tier.orders,
      customers: all.customers + tier.customers,
      pointsWithout: all.pointsWithout + tier.pointsWithout,
      pointsWith: all.pointsWith + tier.pointsWith,
    }),
    { orders: 0, customers: 0, pointsWithout: 0n, pointsWith: 0n },
  );
}

interface Replayed {
  readonly tierUid: string;
  readonly bucket: number;
  readonly customerUid: string;
  readonly pointsWithout: bigint;
  readonly pointsWith: bigint;
}

/** Replays one order in the time of the campaign; null: it has no customer, or is no longer in the days. */
async function replay(
  tx: Tx,
  orderId: string,
  { plain, program }: { readonly plain: Program; readonly program: Program },
  later: Temporal.Duration,
): Promise<Replayed | null> {
  const order = await readOrder(tx, orderId);
  const customer = order?.customer ? await selectCustomer(tx, order.customer) : undefined;
  if (order === undefined || customer === undefined || customer.deletedAt !== null) return null;
  const instant = (processedAt(order.facts) ?? order.receivedAt).add(later);
  const [without, withIt] = await readOrderRules(tx, [
    { program: plain, customer, instant, receivedAt: null },
    { program, customer, instant, receivedAt: null },
  ]);
  if (without === undefined || withIt === undefined) throw new Error("an order has no rules");
  const products = await selectProducts(tx, unpinnedProducts(order));
  const pointsBy = (rules: OrderRules): bigint => {
    const pinned = { ...rules, products: order.rules?.products ?? rules.products };
    return previewPlan({ facts: order.facts, rules: pinned, products, processedAt: instant }).points;
  };
  return {
    tierUid: withIt.tier.uid,
    bucket: customer.bucket,
    customerUid: customer.customerUid,
    pointsWithout: pointsBy(without),
    pointsWith: pointsBy(withIt),
  };
}
