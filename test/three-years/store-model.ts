import { type Birthdays, changeBirthday, isRewarded } from "./birthday-model.ts";
import {
  couponReturn,
  dueAward,
  type ModelCoupon,
  type ModelOrder,
  placeOrder,
  refundOrder,
  shipOrder,
  spendOf,
} from "./order-model.ts";
import type { OrderSpec, StoreAction } from "./store-action.ts";
import { COUPON_HOURS, DELAY_MONTHS, isBefore, REWARDS, rateAt, type Terms } from "./terms.ts";
import {
  designate,
  isCheck,
  newStanding,
  rankAt,
  type Spend,
  type Standing,
  setRank,
  windowSpend,
} from "./tier-model.ts";
import {
  balanceOf,
  change,
  type ExpiryTerms,
  giveBack,
  least,
  openWallet,
  TIME_ZONE,
  type Wallet,
  writeOff,
} from "./wallet-model.ts";

/** A whole store as program.md has it: it receives actions and lets time pass. Nothing in it is the service's. */
export interface StoreModel {
  readonly terms: Terms;
  readonly expiry: ExpiryTerms;
  now: Temporal.Instant;
  readonly shoppers: Map<string, Shopper>;
  readonly orders: Map<string, ModelOrder>;
  readonly coupons: Map<string, ModelCoupon>;
}

export interface Shopper {
  readonly wallet: Wallet;
  readonly standing: Standing;
  birthdays: Birthdays | null;
  hasOptedIn: boolean;
}

export type Outcome = "done" | "refused";

export function openStore(terms: Terms, now: Temporal.Instant): StoreModel {
  const expiry = { delayMonths: DELAY_MONTHS.before, shortenedAt: null };
  return { terms, expiry, now, shoppers: new Map(), orders: new Map(), coupons: new Map() };
}

/** Lets time pass: coupons end, and at each midnight points expire, tiers are checked and birthdays rewarded. */
export function passTo(store: StoreModel, to: Temporal.Instant): void {
  for (;;) {
    const midnight = store.now.toZonedDateTimeISO(TIME_ZONE).startOfDay().add({ days: 1 }).toInstant();
    const ends = [...store.coupons.values()].filter(({ state }) => state === "open").map(({ endsAt }) => endsAt);
    const [next = to] = [...ends, midnight].sort(Temporal.Instant.compare);
    if (isBefore(to, next)) break;
    store.now = next;
    for (const coupon of store.coupons.values()) {
      if (coupon.state === "open" && !isBefore(next, coupon.endsAt)) endCoupon(store, coupon);
    }
    if (next.equals(midnight)) startDay(store);
  }
  store.now = to;
}

/** The program's change in the middle. */
export function changeTerms({ expiry, now }: StoreModel): void {
  expiry.delayMonths = DELAY_MONTHS.after;
  expiry.shortenedAt = now;
}

export function shopperOf(store: StoreModel, id: string): Shopper {
  return found(store.shoppers, id);
}

export function spendsOf(store: StoreModel, shopperId: string): readonly Spend[] {
  const own = [...store.orders.values()].filter((order) => order.shopperId === shopperId);
  return own.flatMap((order) => spendOf(order) ?? []);
}

/** How often the rarer things happened, so that a test can see that they did. */
export function whatHappened({ shoppers, orders, coupons }: StoreModel): Readonly<Record<string, number>> {
  const people = [...shoppers.values()];
  const moves = people.flatMap(({ standing }) =>
    standing.ranks.map(({ rank }, n) => rank - (standing.ranks[n - 1]?.rank ?? 0)),
  );
  const typed = (type: string) => people.filter(({ wallet }) => wallet.sums.has(type)).length;
  const ended = [...coupons.values()];
  return {
    ups: moves.filter((by) => by > 0).length,
    downs: moves.filter((by) => by < 0).length,
    forgiven: [...orders.values()].filter(({ awarded, settled }) => awarded > settled).length,
    couponsUsed: ended.filter(({ state }) => state === "used").length,
    couponsLost: ended.filter(({ state }) => state === "ended").length,
    couponsTakenLess: ended.filter(({ cost, worth }) => cost < worth).length,
    birthdays: people.filter(({ birthdays }) => (birthdays?.paidAt ?? null) !== null).length,
    expired: typed("expiration"),
    refunded: typed("refund"),
    reimbursed: typed("coupon_reimbursement"),
    cancelled: typed("coupon_cancellation"),
  };
}

/** What an action does at the store's present time; refused: the balance is too small, or the coupon is used or was never issued. */
export function enact(store: StoreModel, action: StoreAction): Outcome {
  if (action.kind === "join") store.shoppers.set(action.shopper, newShopper());
  const { now } = store;
  const shopper = shopperOf(store, action.shopper);
  writeOff(shopper.wallet, store.expiry, now);
  switch (action.kind) {
    case "join": {
      if (action.isSignup === true) post(store, shopper, "reward", REWARDS.signup);
      if (action.accepts === true) optIn(store, shopper);
      if (action.birthday !== undefined) shopper.birthdays = changeBirthday(null, action.birthday, now);
      return "done";
    }
    case "consent": {
      if (action.accepts) optIn(store, shopper);
      return "done";
    }
    case "birthday": {
      shopper.birthdays = changeBirthday(shopper.birthdays, action.birthday, now);
      return "done";
    }
    case "give":
      return post(store, shopper, "api", action.points);
    case "set":
      return post(store, shopper, "api", action.balance - balanceOf(shopper.wallet));
    case "flow":
      return post(store, shopper, "flow", action.points, action.extends);
    case "issue":
      return issueCoupon(store, action.shopper, action.coupon, action.points);
    case "drop":
      return dropCoupon(store, store.coupons.get(action.coupon));
    case "place": {
      if (action.minimum !== undefined) shopper.standing.floor = action.minimum;
      if (action.skips !== undefined) shopper.standing.skips = action.skips;
      if (action.tier !== undefined) setRank(shopper.standing, action.tier, now);
      return "done";
    }
    default:
      return enactOrder(store, action);
  }
}

type OrderAction = Extract<StoreAction, { readonly kind: "order" | "pay" | "ship" | "unship" | "refund" | "cancel" }>;

function enactOrder(store: StoreModel, action: OrderAction): Outcome {
  if (action.kind === "order") takeOrder(store, action.shopper, action.order);
  const order = found(store.orders, action.kind === "order" ? action.order.id : action.orderId);
  if (action.kind === "pay") order.paidAt = store.now;
  if (action.kind === "ship") shipOrder(order, action, store.now);
  if (action.kind === "unship") order.shipments.delete(action.shipmentId);
  if (action.kind === "refund") refundOrder(order, action);
  if (action.kind === "cancel") order.isCancelled = true;
  settle(store, order);
  return "done";
}

function takeOrder(store: StoreModel, shopperId: string, spec: OrderSpec): void {
  const processedAt = spec.processedAt ?? store.now;
  const rank = rankAt(shopperOf(store, shopperId).standing, processedAt);
  const order = placeOrder(spec, { shopperId, processedAt, rate: rateAt(store.terms, rank, processedAt) });
  store.orders.set(spec.id, order);
  const coupon = spec.coupon === undefined ? undefined : store.coupons.get(spec.coupon);
  if (coupon === undefined || coupon.state === "used") return;
  if (coupon.state === "ended") takeAgain(store, coupon);
  coupon.state = "used";
  order.coupon = coupon;
  order.redeemed = coupon.cost;
}

/** A use that is reported after the points came back: they are taken again, as far as the balance goes. */
function takeAgain(store: StoreModel, coupon: ModelCoupon): void {
  const { wallet } = shopperOf(store, coupon.shopperId);
  coupon.cost = least(coupon.worth, balanceOf(wallet));
  coupon.draws =
    coupon.cost === 0n ? [] : change(wallet, store.expiry, store.now, { type: "api", value: -coupon.cost });
}

/**
 * Coupon points return first, then the award is what its shipments have earned by now: less of it, capped at the balance, or more, set off
 * against what is kept of earlier awards beyond what was due.
 */
function settle(store: StoreModel, order: ModelOrder): void {
  const { wallet } = shopperOf(store, order.shopperId);
  if (order.coupon !== null)
    returnCoupon(store, order.coupon, couponReturn(order, order.coupon), "coupon_reimbursement");
  const due = dueAward(order);
  const wanted = due - order.settled;
  const excess = order.awarded - order.settled;
  order.settled = due;
  const value = wanted >= 0n ? wanted - least(wanted, excess) : -least(-wanted, balanceOf(wallet));
  if (value === 0n) return;
  order.awarded += value;
  const type = value > 0n ? "fulfillment" : "refund";
  change(wallet, store.expiry, store.now, { type, value, extends: value > 0n, orderId: order.id });
}

function issueCoupon(store: StoreModel, shopperId: string, name: string, points: bigint): Outcome {
  const { wallet } = shopperOf(store, shopperId);
  if (points > balanceOf(wallet)) return "refused";
  const draws = change(wallet, store.expiry, store.now, { type: "api", value: -points, extends: true });
  const endsAt = store.now.add({ hours: COUPON_HOURS });
  store.coupons.set(name, {
    ...{ shopperId, draws, endsAt, worth: points, cost: points },
    ...{ state: "open", returned: 0n },
  });
  return "done";
}

function dropCoupon(store: StoreModel, coupon: ModelCoupon | undefined): Outcome {
  if (coupon === undefined || coupon.state === "used") return "refused";
  if (coupon.state === "open") endCoupon(store, coupon);
  return "done";
}

function endCoupon(store: StoreModel, coupon: ModelCoupon): void {
  returnCoupon(store, coupon, coupon.cost, "coupon_cancellation");
  coupon.state = "ended";
  coupon.returned = 0n;
}

/** Lets points of a coupon come back, up to `total` since it was last paid. */
function returnCoupon(store: StoreModel, coupon: ModelCoupon, total: bigint, type: string): void {
  const { wallet } = shopperOf(store, coupon.shopperId);
  const points = total - coupon.returned;
  if (points <= 0n) return;
  writeOff(wallet, store.expiry, store.now);
  giveBack(wallet, store.expiry, store.now, { type, draws: coupon.draws, skip: coupon.returned, points });
  coupon.returned = total;
}

function startDay(store: StoreModel): void {
  for (const [id, shopper] of store.shoppers) {
    writeOff(shopper.wallet, store.expiry, store.now);
    if (isCheck(store.now)) designate(shopper.standing, windowSpend(spendsOf(store, id), store.now), store.now);
    const { birthdays } = shopper;
    if (birthdays === null || !isRewarded(birthdays, store.now)) continue;
    post(store, shopper, "reward", REWARDS.birthday, false);
    birthdays.paidAt = store.now;
    birthdays.isChanged = false;
  }
}

function optIn(store: StoreModel, shopper: Shopper): void {
  if (shopper.hasOptedIn) return;
  shopper.hasOptedIn = true;
  post(store, shopper, "reward", REWARDS.optIn);
}

/** What is given extends, unless it says no. */
function post(store: StoreModel, { wallet }: Shopper, type: string, value: bigint, isExtending = true): Outcome {
  if (balanceOf(wallet) + value < 0n) return "refused";
  change(wallet, store.expiry, store.now, { type, value, extends: value > 0n && isExtending });
  return "done";
}

function newShopper(): Shopper {
  return { wallet: openWallet(), standing: newStanding(), birthdays: null, hasOptedIn: false };
}

function found<T>(all: ReadonlyMap<string, T>, key: string): T {
  const value = all.get(key);
  if (value === undefined) throw new Error(`the model knows no ${key}`);
  return value;
}
