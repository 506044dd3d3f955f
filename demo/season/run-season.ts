import { setTimeout as delay } from "node:timers/promises";
import { Type } from "typebox";
import { readBalance } from "../balances.ts";
import { anything, IN_FLIGHT } from "../client.ts";
import { type ExpectedPoints, waitForOrders } from "../orders.ts";
import { buildCustomer, buildEmailConsent } from "../payloads/customer-payload.ts";
import { message } from "../payloads/platform-json.ts";
import { campaignRate, RATE_BEFORE, type TierName } from "../program.ts";
import { count } from "../progress.ts";
import { runConcurrently } from "../run-concurrently.ts";
import { deliverOrder, type SeasonRun, send, type Tally } from "./deliver-order.ts";
import { shopTime, type UsedCoupon } from "./order-messages.ts";
import { type PlannedOrder, type SeasonCustomer, salesOf } from "./plan-season.ts";

export interface SeasonResult {
  readonly expected: ExpectedPoints;
  readonly customersOf: ReadonlyMap<TierName, number>;
  readonly bestId: string;
  readonly messages: number;
  readonly repeated: number;
  readonly shuffled: number;
  readonly coupons: number;
  /** Orders that did not have their points in time. */
  readonly faults: readonly string[];
}

const DAY_S = 86_400;
/** The time between an order's steps, as a part of the season; there are 4 steps after it is placed. */
const STEP_PART = 0.02;
const STEPS = 4;
const GOLD_PART = 0.05;
const SILVER_PART = 0.2;
const LEAST_COUPON = 10n;
const FIRST_WAIT_MS = 120_000;
const WAIT_MS_EACH = 20;

const couponAnswer = Type.Object({ data: Type.Object({ code: Type.String(), currency_value: Type.Integer() }) });

/**
 * Runs a season: the orders of its past days, then tiers for the best customers, then today, when a campaign runs and coupons are used. After each
 * part it waits until every order has its points.
 */
export async function runSeason(
  setting: Omit<SeasonRun, "tally">,
  customers: readonly SeasonCustomer[],
): Promise<SeasonResult> {
  const tally: Tally = { expected: new Map(), messages: 0, repeated: 0, shuffled: 0, coupons: 0 };
  const run: SeasonRun = { ...setting, tally };
  await runConcurrently(customers, IN_FLIGHT, (customer) => runPast(run, customer));
  await settle(run);
  const tiers = tiersOf(customers);
  await runConcurrently([...tiers], IN_FLIGHT, ([id, tier]) => placeInTier(run, id, tier));
  const today = await nextSecond();
  await runConcurrently(customers, IN_FLIGHT, (customer) =>
    runToday(run, { customer, tier: tiers.get(customer.spec.id) ?? "Bronze", today }),
  );
  const faults = await settle(run);
  const placed = [...tiers.values()];
  const gold = placed.filter((tier) => tier === "Gold").length;
  const customersOf = new Map<TierName, number>([
    ["Bronze", customers.length - placed.length],
    ["Silver", placed.length - gold],
    ["Gold", gold],
  ]);
  const [bestId = ""] = tiers.keys();
  return { ...tally, customersOf, bestId, faults };
}

/** The approximate number of messages and requests of a season, for a progress bar. */
export function stepsOf(customers: readonly SeasonCustomer[]): number {
  const orders = customers.flatMap(({ past, today }) => (today === null ? past : [...past, today]));
  const messages = orders.map(({ fate, shipments, delivery }) => {
    const shipped = fate === "cancelled" ? 0 : 2 * shipments;
    return (2 + shipped + (fate === "kept" ? 0 : 2)) * (delivery === "twice" ? 2 : 1);
  });
  const own = customers.map(({ optsIn, gift }) => 2 + (optsIn ? 1 : 0) + (gift > 0n ? 1 : 0));
  return [...messages, ...own].reduce((sum, steps) => sum + steps, 0);
}

/** Waits until everything that was sent has been processed: every order has its points. */
function settle({ client, tally, progress }: SeasonRun): Promise<string[]> {
  const limitMs = FIRST_WAIT_MS + WAIT_MS_EACH * tally.messages;
  return waitForOrders(client, tally.expected, limitMs, (orders) => {
    if (orders > 0) progress.note(`${count(orders)} orders to process`);
  });
}

async function runPast(run: SeasonRun, customer: SeasonCustomer): Promise<void> {
  const { client, days } = run;
  const { spec, gift, past } = customer;
  await welcome(run, customer);
  const seasonS = days * DAY_S;
  const startedAt = Temporal.Now.instant().subtract({ seconds: seasonS });
  for (const planned of past) {
    const placedAfterS = Math.floor(planned.at * (1 - STEPS * STEP_PART) * seasonS);
    const pace = {
      placedAt: startedAt.add({ seconds: placedAfterS }),
      secondsApart: Math.floor(STEP_PART * seasonS),
    };
    await deliverOrder(run, { planned, pace, coupon: null, rate: RATE_BEFORE });
  }
  if (gift === 0n) return;
  const body = {
    customer_id: spec.id,
    point_value: Number(gift),
    reason: { type: "compensation", note: "A late parcel" },
  };
  // Sent twice with the same key, as a careful script does after a lost response: it counts once.
  for (const _ of ["first", "again"]) {
    const headers = { "idempotency-key": `gift-${spec.id}` };
    await client.call("POST", "/api/storefront/point_allotments", anything, { body, headers });
  }
  run.progress.tick();
}

async function welcome(run: SeasonRun, { spec, birthday, optsIn }: SeasonCustomer): Promise<void> {
  await send(run, message("customers/create", buildCustomer(spec)), `customer-${spec.id}`);
  const body = birthday === null ? {} : { birthday };
  await run.client.call("PUT", `/api/storefront/customers/${spec.id}`, anything, { body });
  run.progress.tick();
  if (optsIn) {
    const consent = buildEmailConsent(spec, true, spec.createdAt);
    await send(run, message("customers_email_marketing_consent/update", consent), `consent-${spec.id}`);
  }
}

async function runToday(
  run: SeasonRun,
  { customer, tier, today }: { customer: SeasonCustomer; tier: TierName; today: Temporal.Instant },
): Promise<void> {
  const { spec, today: planned, coupon } = customer;
  if (coupon === "deleted") await changeMind(run, spec.id);
  if (planned === null) return;
  const used = coupon === "spent" ? await redeem(run, spec.id, planned) : null;
  const pace = { placedAt: today, secondsApart: 1 };
  await deliverOrder(run, { planned, pace, coupon: used, rate: campaignRate(tier) });
}

/** Half of the points, but not more than half of the order. */
async function redeem(run: SeasonRun, customerId: string, { order }: PlannedOrder): Promise<UsedCoupon | null> {
  const goods = order.lines.reduce((sum, { price, quantity }) => sum + price * BigInt(quantity), 0n);
  const points = (await readBalance(run.client, customerId)) / 2n;
  const spent = points < goods / 2n ? points : goods / 2n;
  return spent < LEAST_COUPON ? null : await issueCoupon(run, customerId, spent);
}

async function changeMind(run: SeasonRun, customerId: string): Promise<void> {
  if ((await readBalance(run.client, customerId)) < LEAST_COUPON) return;
  const { code } = await issueCoupon(run, customerId, LEAST_COUPON);
  await run.client.call("DELETE", `/api/storefront/coupons/${code}`, anything);
}

async function issueCoupon(run: SeasonRun, customerId: string, points: bigint): Promise<UsedCoupon> {
  const body = { customer_id: customerId, point_value: Number(points) };
  const { data } = await run.client.call("POST", "/api/storefront/coupons", couponAnswer, { body });
  run.tally.coupons += 1;
  return { code: data.code, worth: BigInt(data.currency_value) };
}

async function placeInTier(run: SeasonRun, customerId: string, tier: TierName): Promise<void> {
  await run.client.call("POST", `/api/storefront/point_balances/${customerId}/tiers`, anything, { body: { tier } });
}

/** The tiers of the best customers, by their purchases. */
function tiersOf(customers: readonly SeasonCustomer[]): ReadonlyMap<string, TierName> {
  const best = customers.toSorted((a, b) => Number(salesOf(b) - salesOf(a)));
  const gold = Math.ceil(customers.length * GOLD_PART);
  const silver = Math.ceil(customers.length * SILVER_PART);
  return new Map([
    ...best.slice(0, gold).map(({ spec }) => [spec.id, "Gold"] as const),
    ...best.slice(gold, silver).map(({ spec }) => [spec.id, "Silver"] as const),
  ]);
}

/** The platform's times are in seconds: an order of today is placed in a second that begins after the tiers were set. */
async function nextSecond(): Promise<Temporal.Instant> {
  const next = Temporal.Now.instant().round({ smallestUnit: "second", roundingMode: "ceil" });
  await delay(Math.max(0, next.epochMilliseconds - Date.now()));
  return next;
}

/** When customers of the season are created: before its first order. */
export function seasonStart(days: number): string {
  return shopTime(Temporal.Now.instant().subtract({ hours: 24 * (days + 1) }));
}
