import {
  again,
  type Body,
  bodyEvent,
  cancelEvent,
  customerEvent,
  emailOf,
  type NeutralEvent,
  refundEvent,
  shipmentEvent,
} from "./events.ts";
import type { Action, Placed, Refunded } from "./life.ts";
import type { LivesStore } from "./lives-store.ts";
import type { Coupon, Line } from "./order.ts";
import { editedLines, lineOf, looseDiscount, refundOf, takenOff } from "./platform-facts.ts";
import { isBefore, type Program, TIERS } from "./program-model.ts";
import { ratio } from "./ratio.ts";
import { type Known, StoreModel } from "./store-model.ts";

const FOREIGN = "EUR";

interface Placing extends Omit<Body, "order"> {
  readonly known: Known;
  readonly events: NeutralEvent[];
}

/** A life of three customers, in the model and in the service: each action becomes what a platform would send. */
export class LifeStory {
  readonly model: StoreModel;
  readonly events: NeutralEvent[] = [];
  readonly #store: LivesStore;
  readonly #people: readonly string[];
  readonly #orders: Placing[] = [];
  readonly #run: string;
  #count = 0;

  private constructor(store: LivesStore, program: Program, run: string) {
    this.#store = store;
    this.#run = run;
    this.model = new StoreModel(program, store.now());
    this.#people = [0, 1, 2].map((n) => `${run}-p${n}`);
  }

  static async start(store: LivesStore, program: Program, run: string): Promise<LifeStory> {
    const story = new LifeStory(store, program, run);
    store.pass({ minutes: 1 });
    await story.#join(0);
    await story.#join(1);
    for (const id of story.#people.slice(0, 2)) await story.#give(id, 90n);
    return story;
  }

  async does(action: Action): Promise<void> {
    this.#store.pass({ minutes: 1 });
    switch (action.do) {
      case "place":
        return this.#place(action);
      case "earn":
      case "spend":
        return this.#earnOrSpend(action);
      case "tier":
        return this.#tier(action.who, action.rank);
      case "join":
        return this.#join(2);
      case "pass":
        return this.#pass(action.hours);
      default: {
        const placing = this.#orders[action.order % Math.max(1, this.#orders.length)];
        return placing === undefined ? undefined : this.#change(placing, action);
      }
    }
  }

  async #change(
    placing: Placing,
    action: Exclude<Action, { do: "place" | "earn" | "spend" | "tier" | "join" | "pass" }>,
  ) {
    const { order } = placing.known;
    const now = this.#store.now();
    switch (action.do) {
      case "pay":
        order.paidAt ??= now;
        order.isVoided = false;
        return this.#body(placing);
      case "void":
        if (order.paidAt !== null) return;
        order.isVoided = true;
        return this.#body(placing);
      case "cancel":
        order.isCancelled = true;
        return this.#send(placing, cancelEvent(order, now));
      case "fulfilled":
      case "unfulfilled": {
        const isFulfilled = action.do === "fulfilled";
        return this.#status(placing, isFulfilled);
      }
      case "again":
        return this.#send(placing, ...placing.events.map(again));
      case "ship":
        return this.#ship(placing, action.halves, action.late);
      case "unship": {
        const open = order.shipments.filter(({ cancelledAt }) => cancelledAt === null);
        const shipment = open[action.which % Math.max(1, open.length)];
        if (shipment === undefined) return;
        shipment.cancelledAt = now;
        return this.#send(placing, shipmentEvent(order, shipment, now));
      }
      case "refund":
        return this.#refund(placing, action);
      case "edit":
        return this.#edit(placing, action);
      case "move":
        return this.#move(placing, action.who);
    }
  }

  async #place(choice: Placed): Promise<void> {
    const { program, start } = this.model;
    const buyer = this.#people[choice.who] ?? "";
    const id = `${this.#run}-o${this.#orders.length}`;
    const now = this.#store.now();
    const past = now.subtract({ hours: choice.late });
    const processedAt = isBefore(past, start) ? now : past;
    const lines = choice.lines.map((line, n) => lineOf(`${id}-${n}`, line, choice.taxesIncluded));
    const paid = choice.coupon === null || choice.isTest ? null : await this.#issue(id, choice.coupon, lines);
    const known: Known = {
      order: {
        ...{ id, processedAt, isTest: choice.isTest, isForeign: choice.isForeign, taxesIncluded: choice.taxesIncluded },
        ...{ lines: paid?.lines ?? lines, coupon: paid?.coupon ?? null },
        goodsDiscount: looseDiscount(
          paid?.lines ?? lines,
          choice.discount,
          paid?.isLoose === true ? paid.coupon.worth : null,
        ),
        ...{ paidAt: choice.isPaid ? now : null, isVoided: false, isCancelled: false },
        ...{ shipments: [], fulfilledAt: null, statusSince: null, refunds: [] },
      },
      ...{ owner: null, counted: [], asked: new Map(), kept: new Map(), awarded: 0n, couponDue: 0n, couponBack: 0n },
    };
    this.model.orders.set(id, known);
    if (choice.by === "id" && !choice.isTest && !this.model.people.has(buyer)) this.model.join(buyer, false);
    const placing: Placing = {
      ...{ known, events: [], code: paid?.code ?? null, isFulfilled: null },
      ...{ currency: choice.isForeign ? FOREIGN : program.currency },
      buyer: choice.by === "id" ? { id: buyer, email: null } : { id: null, email: emailOf(buyer) },
    };
    this.#orders.push(placing);
    await this.#body(placing);
  }

  /** Takes a part of somebody's points for a coupon of the order; the lines state what it took, or only the order does. */
  async #issue(order: string, { who, part, isOnLines }: NonNullable<Placed["coupon"]>, lines: readonly Line[]) {
    const owner = this.#people[who] ?? "";
    const person = this.model.people.get(owner);
    const points = ((person?.points ?? 0n) * part) / 100n;
    if (points === 0n) return null;
    const { id, code } = await this.#store.issue(owner, points);
    const worth = points * this.model.program.pointWorth;
    const { discounted, open } = isOnLines ? takenOff(lines, worth) : { discounted: lines, open: worth };
    const amount = isOnLines ? worth - open : worth;
    const coupon: Coupon = { id: `${order}/${id}`, owner, points, worth, amount };
    this.model.issue(coupon);
    return { coupon, code, lines: discounted, isLoose: !isOnLines };
  }

  async #ship(placing: Placing, halves: readonly bigint[], late: number): Promise<void> {
    const { order } = placing.known;
    const now = this.#store.now();
    const units = new Map(
      order.lines.flatMap(({ id }, n) => ((halves[n] ?? 0n) === 0n ? [] : [[id, ratio(halves[n] ?? 0n, 2n)] as const])),
    );
    if (units.size === 0) return;
    const past = now.subtract({ hours: late });
    const at = isBefore(past, order.processedAt) ? now : past;
    const shipment = { id: `s${++this.#count}`, at, units, cancelledAt: null };
    order.shipments.push(shipment);
    order.shipments.sort((a, b) => Temporal.Instant.compare(a.at, b.at) || (a.id < b.id ? -1 : 1));
    await this.#send(placing, shipmentEvent(order, shipment, now));
  }

  async #status(placing: Placing, isFulfilled: boolean): Promise<void> {
    const { order } = placing.known;
    const now = this.#store.now();
    if (isFulfilled) order.fulfilledAt ??= now;
    Object.assign(placing, { isFulfilled });
    await this.#body(placing);
  }

  async #refund(placing: Placing, choice: Refunded): Promise<void> {
    const { order } = placing.known;
    const refund = refundOf(order, choice, `r${++this.#count}`, this.#store.now());
    order.refunds.push(refund);
    await this.#send(placing, refundEvent(order, refund, placing.currency));
  }

  async #edit(placing: Placing, { line: n, change, halves }: Extract<Action, { do: "edit" }>): Promise<void> {
    const { order } = placing.known;
    order.lines = editedLines(order, n % order.lines.length, change, halves);
    await this.#body(placing);
  }

  async #move(placing: Placing, who: number): Promise<void> {
    const id = this.#people[who] ?? "";
    if (!placing.known.order.isTest && !this.model.people.has(id)) this.model.join(id, false);
    Object.assign(placing, { buyer: { id, email: null } });
    await this.#body(placing);
  }

  async #body(placing: Placing): Promise<void> {
    const { order } = placing.known;
    const now = this.#store.now();
    order.statusSince = placing.isFulfilled === true ? now : null;
    await this.#send(placing, bodyEvent({ ...placing, order }, now));
  }

  async #send(placing: Placing, ...events: readonly NeutralEvent[]): Promise<void> {
    const { known, buyer } = placing;
    placing.events.push(...events);
    this.events.push(...events);
    await this.#store.send(events);
    this.#assign(known, buyer);
    this.model.settle(known, this.#store.now());
  }

  /** A guest's order is of the customer who has its e-mail. */
  #assign(known: Known, { id, email }: Placing["buyer"]): void {
    const named = id ?? [...this.#joined].find((one) => emailOf(one) === email) ?? null;
    if (named !== null && this.model.people.has(named)) known.owner = named;
  }

  readonly #joined = new Set<string>();

  async #join(n: number): Promise<void> {
    const id = this.#people[n] ?? "";
    if (this.#joined.has(id)) return;
    this.#joined.add(id);
    const isStaff = n === 1;
    const event = customerEvent(id, isStaff, this.#store.now());
    this.events.push(event);
    if (!this.model.people.has(id)) this.model.join(id, isStaff);
    await this.#store.send([event]);
    for (const { known, buyer } of this.#orders) {
      if (known.owner !== null) continue;
      this.#assign(known, buyer);
      if (known.owner !== null) this.model.settle(known, this.#store.now());
    }
  }

  async #earnOrSpend({ do: verb, who, points }: Extract<Action, { do: "earn" | "spend" }>): Promise<void> {
    const id = this.#people[who] ?? "";
    const person = this.model.people.get(id);
    if (person === undefined) return;
    await this.#give(id, verb === "earn" ? points : -((person.points * points) / 100n));
  }

  async #give(id: string, points: bigint): Promise<void> {
    if (points === 0n) return;
    await this.#store.give(id, points);
    this.model.give(id, points);
  }

  async #tier(who: number, rank: number): Promise<void> {
    const id = this.#people[who] ?? "";
    const person = this.model.people.get(id);
    if (person === undefined) return;
    await this.#store.place(id, TIERS[rank] ?? "");
    person.ranks.push({ at: this.#store.now(), rank });
  }

  /** What is due at the end is awarded. */
  async end(): Promise<void> {
    await this.#pass(0);
  }

  async #pass(hours: number): Promise<void> {
    this.#store.pass({ hours });
    await this.#store.awardDue();
    for (const { known } of this.#orders) this.model.settle(known, this.#store.now());
  }
}
