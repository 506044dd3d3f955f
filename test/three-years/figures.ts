import type { Client } from "../support/client.ts";
import { awardable } from "./order-model.ts";
import { type Shopper, type StoreModel, shopperOf, spendsOf } from "./store-model.ts";
import { DELAY_MONTHS, REQUIREMENTS, rateAt, TIERS } from "./terms.ts";
import { nextCheck, remainingSpend, windowSpend } from "./tier-model.ts";
import { balanceOf, expiresAt } from "./wallet-model.ts";

/** Every number that the service shows of a customer, and the same from the model. */

const API = "/api/storefront";
const PAGE = 250;

export interface BalanceFigures {
  readonly point_balance: number;
  readonly expires_at: string | null;
  readonly expiration_delay: number;
}

export async function shownBalance(client: Client, id: string): Promise<BalanceFigures> {
  const { point_balance, expires_at, expiration_delay } = (await client.get(`${API}/point_balances/${id}`)).body.data;
  return { point_balance, expires_at: expires_at === null ? null : instant(expires_at), expiration_delay };
}

export function modelBalance({ expiry }: StoreModel, { wallet }: Shopper): BalanceFigures {
  return {
    point_balance: Number(balanceOf(wallet)),
    expires_at: expiresAt(wallet, expiry)?.toString() ?? null,
    expiration_delay: expiry.delayMonths,
  };
}

export async function shownTier(client: Client, id: string): Promise<object> {
  const { data } = (await client.get(`${API}/point_balances/${id}/tier`)).body;
  const { advancement_data: up, maintenance_data: kept } = data;
  return {
    tier: data.tier,
    floor: data.minimum_tier,
    skips: data.skip_next_check,
    deadlines: [instant(up.deadline), instant(kept.deadline)],
    next: [up.tier_name, up.raw_amount, up.spent_requirement?.raw_amount ?? null],
    tiers: up.tiers.map((tier: Record<string, unknown>) => [tier.name, tier.raw_amount, tier.ratio]),
    kept: [kept.raw_amount, kept.spent_requirement.raw_amount],
  };
}

export function modelTier(store: StoreModel, id: string): object {
  const { rank, floor, skips } = shopperOf(store, id).standing;
  const deadline = nextCheck(store.now);
  const remaining = remainingSpend(windowSpend(spendsOf(store, id), deadline)).map(Number);
  const requirements = REQUIREMENTS.map(Number);
  const isTop = rank + 1 === TIERS.length;
  return {
    tier: TIERS[rank],
    floor: floor === null ? null : TIERS[floor],
    skips,
    deadlines: [deadline.toString(), deadline.toString()],
    next: isTop ? [null, 0, null] : [TIERS[rank + 1], remaining[rank + 1], requirements[rank + 1]],
    tiers: TIERS.map((name, n) => [name, remaining[n], ownRatio(store, n)]),
    kept: [remaining[rank], requirements[rank]],
  };
}

/** Of the tier's own rate, campaign or not. */
function ownRatio(store: StoreModel, rank: number): number {
  const isChanged = store.expiry.delayMonths === DELAY_MONTHS.after;
  const { points, yen } = rateAt(
    { ...store.terms, campaigns: [] },
    rank,
    isChanged ? store.now : store.terms.changedAt.subtract({ hours: 1 }),
  );
  return Number(points) / Number(yen);
}

/** Points of all orders, by id. */
export async function shownOrders(client: Client, ids: readonly string[]): Promise<Record<string, unknown>> {
  const shown: Record<string, unknown> = {};
  for (let from = 0; from < ids.length; from += PAGE) {
    const page = ids.slice(from, from + PAGE).join(",");
    Object.assign(shown, (await client.get(`${API}/orders?ids=${page}`)).body.data);
  }
  return shown;
}

export function modelOrders({ orders }: StoreModel): Record<string, unknown> {
  const figures = [...orders.values()].map((order) => [
    order.id,
    {
      awardable_points: Number(awardable(order)),
      points_awarded: Number(order.awarded),
      points_redeemed: Number(order.redeemed),
    },
  ]);
  return Object.fromEntries(figures);
}

/** Points of a customer's allotments by type. */
export async function shownSums(client: Client, id: string): Promise<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (let page = 1, hasMore = true; hasMore; page++) {
    const { data, meta } = (await client.get(`${API}/point_allotments/${id}?page=${page}`)).body;
    for (const { type, point_value } of data) sums[type] = (sums[type] ?? 0) + point_value;
    hasMore = meta.has_more;
  }
  return sums;
}

export function modelSums({ wallet }: Shopper): Record<string, number> {
  return Object.fromEntries([...wallet.sums].map(([type, sum]) => [type, Number(sum)]));
}

function instant(text: string): string {
  return Temporal.Instant.from(text).toString();
}
