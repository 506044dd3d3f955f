import type { Deps } from "../../src/deps.ts";
import { processAllReceipts } from "../../src/intake/process-all-receipts.ts";
import { readEvents } from "../../src/intake/read-events.ts";
import { storeReceipts } from "../../src/intake/store-receipts.ts";
import { runConcurrently } from "../run-concurrently.ts";
import type { Dice } from "../season/dice.ts";
import { type Member, makeMember } from "./crowd.ts";
import { type Gift, postGift, spendPoints } from "./post-by-hand.ts";
import {
  cancelEvent,
  joinEvent,
  makeOrder,
  orderEvent,
  type PlacedOrder,
  refundEvent,
  type SpentCoupon,
  shipEvent,
} from "./store-events.ts";

/** A store in progress: who has joined, and the later steps of orders. */
export interface StoreInProgress {
  readonly deps: Deps;
  readonly dice: Dice;
  readonly members: Member[];
  /** The later steps of orders, by slot. */
  readonly later: Map<number, { readonly order: PlacedOrder; readonly what: "ship" | "refund" | "cancel" }[]>;
  orders: number;
}

/** What happens in a part of a day. */
export interface Slot {
  /** A running number from 0. */
  readonly n: number;
  readonly joins: number;
  readonly orders: number;
  /** Members who bring points from an earlier system. */
  readonly isImport: boolean;
}

const CONCURRENCY = 8;
const EVENTS_A_BATCH = 100;
const FIRST_ORDER = 6_400_000_000_000;
const SLOTS_A_DAY = 2;
const WITH_COUPON = 0.14;
const NEVER_USED = 0.12;

/** Runs a slot at the clock's time: joins, then orders of old and new members, then the later steps of earlier orders. */
export async function runSlot(store: StoreInProgress, slot: Slot): Promise<void> {
  const { deps, dice, members } = store;
  const now = deps.clock.now();
  const joined = Array.from({ length: slot.joins }, (_, n) => makeMember(dice, members.length + n));
  members.push(...joined);
  await acceptEvents(
    deps,
    joined.map((member) => joinEvent(member, now)),
  );
  if (slot.isImport) await giveAll(store, joined, "imported");
  if (members.length === 0) return;
  const placed = Array.from({ length: slot.orders }, () => pickMember(store));
  const orders: object[] = [];
  await runConcurrently(
    placed,
    CONCURRENCY,
    async (member) => void orders.push(...(await placeOrder(store, member, slot))),
  );
  await acceptEvents(deps, [...orders, ...followUps(store, slot)]);
  const reviewers = placed.filter(() => dice.chance(0.08));
  await giveAll(store, reviewers, "review");
  if (dice.chance(0.6)) await giveAll(store, [pickMember(store)], "adjusted");
}

/** A few members buy often: those who joined early, and some of them much more than others. */
function pickMember({ dice, members }: StoreInProgress): Member {
  const part = (dice.below(1_000_000) / 1_000_000) ** 2.2;
  const [member] = members.slice(Math.floor(part * members.length));
  if (member === undefined) throw new Error("the store has no members");
  return member;
}

async function placeOrder(store: StoreInProgress, member: Member, slot: Slot): Promise<object[]> {
  const { deps, dice } = store;
  const id = String(FIRST_ORDER + store.orders++);
  const wish = BigInt(100 + 100 * dice.below(8));
  const coupon: SpentCoupon | null = dice.chance(WITH_COUPON) ? await spendPoints(deps, member, wish) : null;
  if (coupon !== null && dice.chance(NEVER_USED)) return [];
  const order = makeOrder(dice, id, member, coupon);
  const shipsLater = dice.chance(0.2);
  const roll = dice.below(100);
  if (roll < 2) follow(store, slot.n + 1, { order, what: "cancel" });
  else if (shipsLater) follow(store, slot.n + SLOTS_A_DAY * (1 + dice.below(3)), { order, what: "ship" });
  if (roll >= 92) follow(store, slot.n + SLOTS_A_DAY * (5 + dice.below(15)), { order, what: "refund" });
  return [orderEvent(order, deps.clock.now(), { coupon, shipsLater })];
}

function follow(
  { later }: StoreInProgress,
  slot: number,
  entry: { order: PlacedOrder; what: "ship" | "refund" | "cancel" },
) {
  later.set(slot, [...(later.get(slot) ?? []), entry]);
}

function followUps({ deps, later }: StoreInProgress, { n }: Slot): object[] {
  const eventOf = { ship: shipEvent, refund: refundEvent, cancel: cancelEvent };
  const due = later.get(n) ?? [];
  later.delete(n);
  return due.map(({ order, what }) => eventOf[what](order, deps.clock.now()));
}

async function giveAll({ deps, dice }: StoreInProgress, members: readonly Member[], gift: Gift): Promise<void> {
  await runConcurrently(members, CONCURRENCY, (member) => postGift(deps, dice, member, gift));
}

/** Stores events like `POST /intake/events`, and processes them. */
export async function acceptEvents(deps: Deps, events: readonly object[]): Promise<void> {
  for (let at = 0; at < events.length; at += EVENTS_A_BATCH) {
    const batch = { events: events.slice(at, at + EVENTS_A_BATCH) };
    const sent = await readEvents(deps, Buffer.from(JSON.stringify(batch)), { isStrict: true });
    const receipts = sent.flatMap((event) => (event.ok ? [event.receipt] : []));
    await deps.db.tx((tx) => storeReceipts(tx, deps, receipts));
  }
  await processAllReceipts(deps);
}
