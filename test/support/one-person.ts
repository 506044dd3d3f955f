import fc from "fast-check";
import { adjustPoints } from "../../src/adjustments/adjust-points.ts";
import { awardPendingOrders } from "../../src/orders/award-pending-orders.ts";
import type { OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import { mergeInto } from "./customers.ts";
import { body, cancelled, line, refunded, shipped } from "./order-events.ts";
import { type OrderFlow, ofOrder } from "./order-flow.ts";

const API = "/api/storefront";
const STAFF = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };
const IDS = 4;
const START = 5_000;
const UNITS = 3;
const YEAR_S = 31_536_000;

const who = fc.nat(IDS - 1);
const which = fc.nat(5);
const one = <Name extends string>(...names: readonly Name[]) => fc.constantFrom(...names);
const isPaid = fc.constantFrom(true, true, true, false);
const points = fc.integer({ min: 1, max: 60 });
export const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: one("give", "take", "adjust", "deduct"), who, points }) },
  { weight: 1, arbitrary: fc.record({ do: one("undo"), which }) },
  { weight: 5, arbitrary: fc.record({ do: one("order"), who, price: points, isPaid }) },
  { weight: 1, arbitrary: fc.record({ do: one("coupon"), who, buyer: who, points }) },
  { weight: 8, arbitrary: fc.record({ do: one("ship"), which }) },
  { weight: 2, arbitrary: fc.record({ do: one("call back", "cancel", "again", "again"), which }) },
  { weight: 2, arbitrary: fc.record({ do: one("refund"), which, units: fc.nat(2), money: fc.nat(1_500) }) },
  { weight: 6, arbitrary: fc.record({ do: one("move"), which, who }) },
  { weight: 2, arbitrary: fc.record({ do: one("hold"), who, points }) },
  { weight: 1, arbitrary: fc.record({ do: one("end hold"), which, taken: fc.nat(1) }) },
  { weight: 4, arbitrary: fc.record({ do: one("delete"), who }) },
  { weight: 2, arbitrary: fc.record({ do: one("merge"), who, into: who }) },
  { weight: 1, arbitrary: fc.record({ do: one("work") }) },
);
/** What a story begins with: each id has an order that has given points. */
export const firstSteps: readonly Step[] = Array.from({ length: IDS }, (_, i) => i).flatMap((i): Step[] => [
  { do: "order", who: i, price: 11 * (i + 1), isPaid: true },
  { do: "ship", which: i },
]);
export type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** The same thing of both: of an id of the person, and of the one customer. */
interface Both {
  /** The id whose balance it is of now. */
  holder: number;
  readonly uids: readonly [string, string];
}

interface Sold {
  readonly id: string;
  readonly price: number;
  readonly isPaid: boolean;
  readonly coupon: { readonly codes: readonly [string, string]; readonly points: number } | null;
  readonly shipments: string[];
  shipped: number;
  buyer: number;
}

/**
 * A person whose ids are deleted and merged, and the same person as one customer to whom that never happens. Nothing is ever short, so in the end,
 * when all ids are one, both have the same.
 */
export class OnePerson {
  readonly #flow: OrderFlow;
  readonly #name: string;
  /** By id, the id into which it was merged, or itself. */
  readonly #into = Array.from({ length: IDS }, (_, i) => i);
  readonly #deleted = new Set<number>();
  readonly #orders: Sold[] = [];
  readonly #holds: Both[] = [];
  readonly #adjusted: Both[] = [];
  #minute = 10;

  private constructor(flow: OrderFlow, name: string) {
    this.#flow = flow;
    this.#name = name;
  }

  static async open(flow: OrderFlow, name: string): Promise<OnePerson> {
    const person = new OnePerson(flow, name);
    for (const id of [...person.#into.map((i) => person.#id(i)), person.#one]) await flow.customer(id);
    for (const i of person.#into) await flow.give(person.#id(i), START);
    await flow.give(person.#one, START * IDS);
    return person;
  }

  async does(doing: Step): Promise<void> {
    this.#minute++;
    this.#flow.clock.advance({ minutes: 1 });
    switch (doing.do) {
      case "give":
      case "take":
        return this.#give(doing.who % IDS, doing.do === "give" ? doing.points : -doing.points);
      case "adjust":
      case "deduct":
        return this.#adjust(doing.who % IDS, doing.do === "adjust" ? doing.points : -doing.points);
      case "undo":
        return this.#undo(doing.which);
      case "order":
        return this.#place(doing.who % IDS, { price: doing.price, isPaid: doing.isPaid, coupon: null });
      case "coupon":
        return this.#couponOrder(doing.who % IDS, doing.buyer % IDS, doing.points);
      case "hold":
        return this.#hold(doing.who % IDS, doing.points);
      case "end hold":
        return this.#endHold(doing.which, doing.taken);
      case "delete":
        return this.#delete(doing.who % IDS);
      case "merge":
        return this.#merge(doing.who % IDS, doing.into % IDS);
      case "work":
        return void (await awardPendingOrders(this.#flow.deps));
      default: {
        const order = this.#orders[doing.which % Math.max(1, this.#orders.length)];
        return order === undefined ? undefined : this.#change(order, doing);
      }
    }
  }

  /** All ids become one, and every order is told once more. */
  async end(): Promise<void> {
    for (const i of this.#into) await this.#merge(i, 0);
    await awardPendingOrders(this.#flow.deps);
    for (const order of this.#orders) await this.does({ do: "again", which: this.#orders.indexOf(order) });
    await awardPendingOrders(this.#flow.deps);
  }

  /** What the person and the one customer have, and what their orders say. */
  async seen(): Promise<readonly [several: object, one: object]> {
    const of = async (customer: string, world: number) => ({
      points: await this.#flow.balance(customer),
      orders: await Promise.all(this.#orders.map(({ id }) => this.#flow.order(`${id}-${world}`))),
    });
    return [await of(this.#id(0), 0), await of(this.#one, 1)];
  }

  #id(i: number): string {
    return `${this.#name}-c${i}`;
  }

  get #one(): string {
    return `${this.#name}-one`;
  }

  /** The id whose balance an id leads to; null: it is deleted. */
  #holder(i: number): number | null {
    const holder = this.#holderOf(i);
    return this.#deleted.has(holder) ? null : holder;
  }

  #holderOf(i: number): number {
    const into = this.#into[i] ?? i;
    return into === i ? i : this.#holderOf(into);
  }

  async #post(path: string, wanted: object) {
    const { status, body: answer, text } = await this.#flow.client.post(`${API}/${path}`, wanted);
    if (status >= 300) throw new Error(`${path}: ${text}`);
    return answer.data;
  }

  async #give(i: number, point_value: number): Promise<void> {
    if (this.#holder(i) === null) return;
    for (const customer_id of [this.#id(i), this.#one])
      await this.#post("point_allotments", { customer_id, point_value });
  }

  async #adjust(i: number, pointValue: number): Promise<void> {
    const holder = this.#holder(i);
    if (holder === null) return;
    const adjusted = (customer: string) => this.#adjusting(customer, { pointValue });
    this.#adjusted.push({ holder, uids: [await adjusted(this.#id(i)), await adjusted(this.#one)] });
  }

  async #undo(which: number): Promise<void> {
    const adjusted = this.#adjusted[which % Math.max(1, this.#adjusted.length)];
    if (adjusted === undefined || this.#deleted.has(adjusted.holder)) return;
    this.#adjusted.splice(this.#adjusted.indexOf(adjusted), 1);
    const [several, one] = adjusted.uids;
    await this.#adjusting(this.#id(adjusted.holder), { undo: several });
    await this.#adjusting(this.#one, { undo: one });
  }

  async #adjusting(customer: string, change: { readonly pointValue: number } | { readonly undo: string }) {
    const { deps } = this.#flow;
    const { made } = await adjustPoints(deps, customer, { requestUid: deps.random.uid(), ...change }, STAFF);
    if (made.kind !== "posted") throw new Error(made.kind);
    return made.allotmentUid;
  }

  async #hold(i: number, point_value: number): Promise<void> {
    const holder = this.#holder(i);
    if (holder === null) return;
    const hold = async (customer_id: string) =>
      (await this.#post("reservations", { customer_id, point_value, ttl_seconds: YEAR_S })).id;
    this.#holds.push({ holder, uids: [await hold(this.#id(i)), await hold(this.#one)] });
  }

  async #endHold(which: number, taken: number): Promise<void> {
    const hold = this.#holds[which % Math.max(1, this.#holds.length)];
    if (hold === undefined) return;
    this.#holds.splice(this.#holds.indexOf(hold), 1);
    for (const uid of hold.uids) {
      if (taken === 0) await this.#post(`reservations/${uid}/release`, {});
      else await this.#post(`reservations/${uid}/capture`, { point_value: taken });
    }
  }

  /** A deletion ends the holds. */
  async #releaseAll(holder: number): Promise<void> {
    for (const hold of this.#holds.filter((each) => each.holder === holder)) {
      this.#holds.splice(this.#holds.indexOf(hold), 1);
      await this.#post(`reservations/${hold.uids[1]}/release`, {});
    }
  }

  async #delete(i: number): Promise<void> {
    if (i === 0 || this.#holder(i) !== i) return;
    await this.#flow.remove(this.#id(i));
    this.#deleted.add(i);
    await this.#releaseAll(i);
  }

  async #merge(i: number, into: number): Promise<void> {
    const kept = this.#holderOf(into);
    if (i === 0 || this.#holderOf(i) !== i || kept === i) return;
    await mergeInto(this.#flow.deps, this.#id(i), this.#id(into));
    this.#into[i] = kept;
    this.#deleted.delete(i);
    for (const both of [...this.#holds, ...this.#adjusted]) if (both.holder === i) both.holder = kept;
    if (this.#deleted.has(kept)) await this.#releaseAll(kept);
  }

  async #couponOrder(i: number, buyer: number, points: number): Promise<void> {
    if (this.#holder(i) === null) return;
    const code = async (customer: string) => (await this.#flow.coupon(customer, points)).code;
    const codes = [await code(this.#id(i)), await code(this.#one)] as const;
    await this.#place(buyer, { price: 20, isPaid: true, coupon: { codes, points } });
  }

  async #place(buyer: number, what: Pick<Sold, "price" | "isPaid" | "coupon">): Promise<void> {
    const order: Sold = { ...what, id: `${this.#name}-o${this.#orders.length}`, shipments: [], shipped: 0, buyer };
    this.#orders.push(order);
    await this.#body(order);
  }

  async #change(order: Sold, doing: Extract<Step, { which: number }>): Promise<void> {
    const at = this.#minute;
    switch (doing.do) {
      case "ship": {
        if (order.shipped === UNITS) return;
        order.shipped++;
        order.shipments.push(`f${at}`);
        return this.#send(order, () => shipped(at, `f${at}`, { a: 1 }));
      }
      case "call back": {
        const shipment = order.shipments.pop();
        if (shipment === undefined) return;
        return this.#send(order, () => shipped(at, shipment, { a: 1 }, "cancelled"));
      }
      case "refund": {
        const { units, money } = doing;
        const lines = units === 0 ? [] : ([["a", units, order.price * 100 * units]] as const);
        return this.#send(order, () => refunded(at, `r${at}`, { lines, moved: money }));
      }
      case "cancel":
        return this.#send(order, () => cancelled(at));
      case "move":
        order.buyer = doing.who % IDS;
        return this.#body(order);
      default:
        return this.#body(order);
    }
  }

  #body(order: Sold): Promise<void> {
    const { price, isPaid: paid, coupon } = order;
    return this.#send(order, (world) => {
      const sold = { price: price * 100, quantity: UNITS };
      const code = coupon?.codes[world];
      if (coupon === null || code === undefined) return body(this.#minute, [line("a", sold)], { paid });
      const amount = { minor: BigInt(coupon.points), currency: "JPY" };
      const lines = [line("a", { ...sold, discounts: [[code, coupon.points]] })];
      return body(this.#minute, lines, { paid, coupons: [{ code, amount, type: "fixed_amount" }] });
    });
  }

  async #send({ id, buyer }: Sold, event: (world: 0 | 1) => OrderEvent): Promise<void> {
    await this.#flow.take(...ofOrder(`${id}-0`, this.#id(buyer), [event(0)]));
    await this.#flow.take(...ofOrder(`${id}-1`, this.#one, [event(1)]));
  }
}
