import { type Birthdays, isRewarded, tellBirthday } from "./birthday-model.ts";
import type { Deed, OrderWords } from "./deed.ts";
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

/** A whole store as program.md has it: it is told of deeds and lets time pass. Nothing in it is the service's. */
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

/** What a deed does at the store's present time; refused: the balance is too small, or the coupon is used or was never issued. */
export function enact(store: StoreModel, deed: Deed): Outcome {
  if (deed.kind === "join") store.shoppers.set(deed.shopper, newShopper());
  const { now } = store;
  const shopper = shopperOf(store, deed.shopper);
  writeOff(shopper.wallet, store.expiry, now);
  switch (deed.kind) {
    case "join": {
      if (deed.isSignup === true) post(store, shopper, "reward", REWARDS.signup);
      if (deed.accepts === true) optIn(store, shopper);
      if (deed.birthday !== undefined) shopper.birthdays = tellBirthday(null, deed.birthday, now);
      return "done";
    }
    case "consent": {
      if (deed.accepts) optIn(store, shopper);
      return "done";
    }
    case "birthday": {
      shopper.birthdays = tellBirthday(shopper.birthdays, deed.birthday, now);
      return "done";
    }
    case "give":
      return post(store, shopper, "api", deed.points);
    case "set":
      return post(store, shopper, "api", deed.balance - balanceOf(shopper.wallet));
    case "flow":
      return post(store, shopper, "flow", deed.points, deed.extends);
    case "issue":
      return issueCoupon(store, deed.shopper, deed.coupon, deed.points);
    case "drop":
      return dropCoupon(store, store.coupons.get(deed.coupon));
    case "place": {
      if (deed.minimum !== undefined) shopper.standing.floor = deed.minimum;
      if (deed.skips !== undefined) shopper.standing.skips = deed.skips;
      if (deed.tier !== undefined) setRank(shopper.standing, deed.tier, now);
      return "done";
    }
    default:
      return enactOrder(store, deed);
  }
}

type OrderDeed = Extract<Deed, { readonly kind: "order" | "pay" | "ship" | "unship" | "refund" | "cancel" }>;

function enactOrder(store: StoreModel, deed: OrderDeed): Outcome {
  if (deed.kind === "order") takeOrder(store, deed.shopper, deed.order);
  const order = found(store.orders, deed.kind === "order" ? deed.order.id : deed.orderId);
  if (deed.kind === "pay") order.paidAt = store.now;
  if (deed.kind === "ship") shipOrder(order, deed, store.now);
  if (deed.kind === "unship") order.shipments.delete(deed.shipmentId);
  if (deed.kind === "refund") refundOrder(order, deed);
  if (deed.kind === "cancel") order.isCancelled = true;
  settle(store, order);
  return "done";
}

function takeOrder(store: StoreModel, shopperId: string, words: OrderWords): void {
  const processedAt = words.processedAt ?? store.now;
  const rank = rankAt(shopperOf(store, shopperId).standing, processedAt);
  const order = placeOrder(words, { shopperId, processedAt, rate: rateAt(store.terms, rank, processedAt) });
  store.orders.set(words.id, order);
  const coupon = words.coupon === undefined ? undefined : store.coupons.get(words.coupon);
  if (coupon === undefined || coupon.state === "used") return;
  if (coupon.state === "ended") takeAgain(store, coupon);
  coupon.state = "used";
  order.coupon = coupon;
  order.redeemed = coupon.cost;
}

/** A use that is told of after the points came back: they are taken again, as far as the balance goes. */
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
