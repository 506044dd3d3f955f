import { selectCustomer } from "../../customers/customer-queries.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import type { Campaign, Program } from "../../program/program.ts";
import { processedAt } from "../order-facts.ts";
import { readOrder } from "../order-queries.ts";
import type { OrderRules } from "../order-rules.ts";
import { previewPlan } from "../preview/preview-plan.ts";
import { readOrderRules } from "../read-order-rules.ts";
import { type ComparableDays, comparableDays } from "./comparable-days.ts";
import { countOrdersOf, selectOrdersOf } from "./forecast-queries.ts";

/** Totals of orders, without a campaign and with it. */
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
    sum.customers.add(replayed.customerUid);
    sum.pointsWithout += replayed.pointsWithout;
    sum.pointsWith += replayed.pointsWith;
  }
  const tiers = [...sums.values()].map(({ customers, ...sum }) => ({ ...sum, customers: customers.size }));
  const share = lookedAt === 0 ? 1 : ordersOfDays / lookedAt;
  return { days, ordersOfDays, lookedAt, scale: share * days.times, tiers, ...allOf(tiers) };
}

function emptySums(name: string) {
  return { name, orders: 0, customers: new Set<string>(), pointsWithout: 0n, pointsWith: 0n };
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
  const pointsBy = (rules: OrderRules): bigint => {
    const products = order.rules?.products ?? rules.products;
    return previewPlan({ facts: order.facts, rules: { ...rules, products }, products: new Map(), processedAt: instant })
      .points;
  };
  return {
    tierUid: withIt.tier.uid,
    customerUid: customer.customerUid,
    pointsWithout: pointsBy(without),
    pointsWith: pointsBy(withIt),
  };
}
