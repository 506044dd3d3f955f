import fc from "fast-check";
import { expect } from "vitest";
import type { OrderEvent } from "../../src/orders/facts/merge-facts.ts";
import { mergeInto } from "./customers.ts";
import { body, cancelled, fulfillment, line, refunded, shipped } from "./order-events.ts";
import { type OrderFlow, ofOrder } from "./order-flow.ts";
import { OrderPointsModel, type Shortfall } from "./order-points-model.ts";

/** Four units of 2,500 yen, as in the model. */
const LINES = [line("a", { price: 2_500, quantity: 4 })];

type StoreEvent =
  | { readonly do: "ship"; readonly order: number; readonly units: number }
  | { readonly do: "unship" | "reship" | "return" | "cancel"; readonly order: number; readonly which: number }
  | { readonly do: "move"; readonly order: number; readonly to: number }
  | { readonly do: "spend" | "earn"; readonly who: number; readonly part: number }
  | { readonly do: "merge"; readonly who: number; readonly to: number }
  | { readonly do: "repeat"; readonly which: number };

const two = fc.nat(1);
const three = fc.nat(2);
const which = fc.nat(9);
const of = <Name extends string>(...names: readonly Name[]) => fc.constantFrom(...names);
export const orderStoryEvent: fc.Arbitrary<StoreEvent> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: of("ship"), order: two, units: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 6, arbitrary: fc.record({ do: of("unship", "reship"), order: two, which }) },
  { weight: 2, arbitrary: fc.record({ do: of("return", "return", "return", "cancel"), order: two, which }) },
  { weight: 4, arbitrary: fc.record({ do: of("move"), order: two, to: three }) },
  { weight: 6, arbitrary: fc.record({ do: of("spend"), who: three, part: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ do: of("earn"), who: three, part: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ do: of("merge"), who: three, to: three }) },
  { weight: 2, arbitrary: fc.record({ do: of("repeat"), which: fc.nat(40) }) },
);

type Of<Name extends StoreEvent["do"]> = Extract<StoreEvent, { readonly do: Name }>;

let count = 0;
const pick = (from: readonly string[], n: number): string => from[n % from.length] ?? "";

/** Two shipped orders of three customers, in the service and in the model, and the actions on them. */
export class OrderPointsStory {
  readonly #flow: OrderFlow;
  readonly #shortfall: Shortfall;
  readonly #model: OrderPointsModel;
  readonly #customers: readonly string[];
  readonly #orders: readonly string[];
  readonly #told: { readonly order: string; readonly events: readonly OrderEvent[] }[] = [];
  #at = 1;

  private constructor(flow: OrderFlow, shortfall: Shortfall) {
    const name = `${shortfall}${++count}`;
    this.#flow = flow;
    this.#shortfall = shortfall;
    this.#model = new OrderPointsModel(shortfall);
    this.#customers = [0, 1, 2].map((n) => `${name}-c${n}`);
    this.#orders = [0, 1].map((n) => `${name}-o${n}`);
  }

  static async start(flow: OrderFlow, shortfall: Shortfall): Promise<OrderPointsStory> {
    const story = new OrderPointsStory(flow, shortfall);
    for (const customer of story.#customers) await flow.customer(customer);
    for (const [n, order] of story.#orders.entries()) {
      const owner = pick(story.#customers, n);
      story.#model.place(order, owner);
      story.#model.order(order).shipments.set("f1", { units: 4, isCancelled: false });
      await story.#send(order, owner, [body(1, LINES), shipped(1, "f1", { a: 4 })]);
    }
    return story;
  }

  /** Does it in both, and compares the orders' awards and everybody's points. */
  async does(one: StoreEvent): Promise<void> {
    const before = this.#orders.map((order) => [this.#model.kept(order), this.#model.target(order)] as const);
    this.#at += 2;
    await this.#act(one);
    for (const [n, order] of this.#orders.entries()) {
      const [keptBefore, targetBefore] = before[n] ?? [0, 0];
      const target = this.#model.target(order);
      const { points_awarded: awarded = 0 } = (await this.#flow.order(order)) ?? {};
      expect([order, one.do, awarded]).toEqual([order, one.do, this.#model.awarded(order)]);
      if (this.#shortfall === "owe") continue; // what is owed counts as taken, because the next award pays it
      expect(awarded).toBeGreaterThanOrEqual(target);
      expect(awarded).toBeLessThanOrEqual(Math.max(keptBefore, target));
      if (target > targetBefore && one.do !== "move") expect(awarded).toBe(Math.max(keptBefore, target));
    }
    for (const customer of this.#customers) {
      expect([customer, await this.#flow.balance(customer)]).toEqual([customer, this.#model.balance(customer).points]);
    }
  }

  #act(one: StoreEvent): Promise<void> | undefined {
    switch (one.do) {
      case "ship":
        return this.#ship(pick(this.#orders, one.order), one.units);
      case "unship":
      case "reship":
      case "return":
      case "cancel":
        return this.#takeBack(one);
      case "move": {
        const [order, to] = [pick(this.#orders, one.order), pick(this.#customers, one.to)];
        this.#model.order(order).owner = to;
        return this.#send(order, to, [body(this.#at, LINES)]);
      }
      case "repeat":
        return this.#repeat(one.which);
      default:
        return this.#change(one);
    }
  }

  #ship(order: string, units: number): Promise<void> {
    const id = `f${this.#at}`;
    this.#model.order(order).shipments.set(id, { units, isCancelled: false });
    return this.#send(order, null, [shipped(this.#at, id, { a: units })]);
  }

  #takeBack(one: Of<"unship" | "reship" | "return" | "cancel">): Promise<void> | undefined {
    const order = pick(this.#orders, one.order);
    const known = this.#model.order(order);
    if (one.do === "cancel") {
      known.isCancelled = true;
      return this.#send(order, null, [cancelled(this.#at)]);
    }
    if (one.do === "return") {
      if (known.returned === 4) return undefined;
      known.returned++;
      return this.#send(order, null, [refunded(this.#at, `r${this.#at}`, { lines: [["a", 1, 2_500]], moved: 2_500 })]);
    }
    const open = [...known.shipments].filter(([, { isCancelled }]) => !isCancelled);
    const [id, shipment] = open[one.which % Math.max(1, open.length)] ?? [];
    if (id === undefined || shipment === undefined) return undefined;
    shipment.isCancelled = true;
    const units = { a: shipment.units };
    if (one.do === "unship") return this.#send(order, null, [shipped(1, id, units, "cancelled", this.#at)]);
    known.shipments.set(`f${this.#at}`, { units: shipment.units, isCancelled: false });
    const fulfillments = [
      fulfillment(1, id, units, "cancelled", this.#at),
      fulfillment(this.#at, `f${this.#at}`, units),
    ];
    return this.#send(order, known.owner, [body(this.#at, LINES, { fulfillments })]);
  }

  #change(one: Of<"spend" | "earn" | "merge">): Promise<void> | undefined {
    const who = pick(this.#customers, one.who);
    if (one.do === "merge") {
      const to = pick(this.#customers, one.to);
      if (who !== this.#model.holder(who) || this.#model.holder(to) === who) return undefined;
      this.#model.merge(who, to);
      return mergeInto(this.#flow.deps, who, to);
    }
    if (one.do === "earn") {
      this.#model.earn(who, one.part);
      return this.#flow.give(who, one.part);
    }
    const points = Math.ceil(this.#model.balance(who).points / one.part);
    if (points === 0) return undefined;
    this.#model.spend(who, points);
    return this.#flow.give(who, -points);
  }

  async #repeat(which: number): Promise<void> {
    const known = this.#told[which % this.#told.length];
    if (known === undefined) return;
    await this.#flow.take(...known.events, ...known.events);
    this.#model.settle(known.order);
  }

  async #send(order: string, owner: string | null, events: readonly OrderEvent[]): Promise<void> {
    const own = ofOrder(order, owner, events);
    this.#told.push({ order, events: own });
    await this.#flow.take(...own);
    this.#model.settle(order);
  }
}
