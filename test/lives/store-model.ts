import type { Coupon, Order } from "./order.ts";
import { couponBack, type Delivery, deliveriesOf, type Rules, type Share, shares } from "./order-model.ts";
import { isBefore, type Program, rateAt } from "./program-model.ts";

/** The balances of a few customers and what orders change in them (program.md 3 and 4). */

/** What is written to the ledger of a customer. */
export interface Written {
  readonly type: string;
  readonly points: bigint;
  readonly order: string | null;
  readonly line: string | null;
}

export interface Person {
  readonly id: string;
  readonly isStaff: boolean;
  points: bigint;
  owed: bigint;
  readonly ranks: { readonly at: Temporal.Instant; readonly rank: number }[];
  readonly written: Written[];
}

/** An order with its customer, and what it gave and took. */
export interface Known {
  readonly order: Order;
  /** null: nobody is known who has its e-mail. */
  owner: string | null;
  /** Deliveries that were counted, in that order, even those of 0 points. */
  readonly counted: string[];
  /** By customer: what the order awards now, and what they have of it, including what they spent. */
  readonly asked: Map<string, bigint>;
  readonly kept: Map<string, bigint>;
  awarded: bigint;
  /** Points of its coupon that should have come back, and that did, less what was taken again. */
  couponDue: bigint;
  couponBack: bigint;
}

export class StoreModel {
  readonly program: Program;
  readonly start: Temporal.Instant;
  readonly people = new Map<string, Person>();
  readonly orders = new Map<string, Known>();

  constructor(program: Program, start: Temporal.Instant) {
    this.program = program;
    this.start = start;
  }

  person(id: string): Person {
    return found(this.people, id);
  }

  rulesOf({ order, owner }: Known): Rules {
    const { program } = this;
    const person = owner === null ? undefined : this.people.get(owner);
    const ranks = (person?.ranks ?? []).filter(({ at }) => !isBefore(order.processedAt, at));
    const rate = rateAt(program, ranks.at(-1)?.rank ?? 0, this.start, order.processedAt);
    return { program, rate, isStaff: person?.isStaff ?? false };
  }

  join(id: string, isStaff: boolean): void {
    this.people.set(id, { id, isStaff, points: 0n, owed: 0n, ranks: [], written: [] });
  }

  give(id: string, points: bigint): void {
    this.#write(id, { type: "api", points, order: null, line: null });
    this.#payDebt(id, points);
  }

  issue({ owner, points }: Coupon): void {
    this.#write(owner, { type: "api", points: -points, order: null, line: null });
  }

  /** Makes the points of an order what its facts require at a time: those of its coupon, then those that move, then its own. */
  settle(known: Known, now: Temporal.Instant): void {
    const rules = this.rulesOf(known);
    if (known.owner !== null) this.#move(known, known.owner);
    this.#settleCoupon(known, rules);
    if (known.owner === null) return;
    const due = deliveriesOf(known.order, rules).filter((delivery) => isDue(delivery, rules, now));
    const old = known.counted.flatMap((name) => due.find((delivery) => delivery.name === name) ?? []);
    const fresh = due.filter(({ name }) => !known.counted.includes(name));
    const before = shares(known.order, rules, old).reduce((sum, { goods, tax }) => sum + goods + tax, 0n);
    const change = before - total(known.asked);
    if (change < 0n) this.#take(known, known.owner, -change);
    if (change > 0n) this.#award(known, known.owner, change, { type: "fulfillment", line: null });
    for (const share of shares(known.order, rules, [...old, ...fresh]).slice(old.length)) this.#deliver(known, share);
  }

  #deliver(known: Known, { delivery: { name, lineId }, earns, goods, tax }: Share): void {
    const { owner } = known;
    if (owner === null || !earns) return;
    known.counted.push(name);
    this.#award(known, owner, goods, { type: "fulfillment", line: lineId });
    this.#award(known, owner, tax, { type: "tax", line: lineId });
  }

  /** Points of former customers are taken from them and given to the present one. */
  #move(known: Known, owner: string): void {
    for (const [other, asked] of [...known.asked]) {
      if (other === owner || asked <= 0n) continue;
      this.#take(known, other, asked);
      this.#award(known, owner, asked, { type: "fulfillment", line: null });
    }
  }

  #settleCoupon(known: Known, rules: Rules): void {
    const { coupon } = known.order;
    if (coupon === null) return;
    const due = couponBack(known.order, rules, coupon);
    const more = due - known.couponDue;
    // what was to be taken again and could not be is still with the customer
    const given = more > 0n ? greatest(0n, due - greatest(known.couponDue, known.couponBack)) : 0n;
    const taken = more < 0n ? least(-more, this.person(coupon.owner).points) : 0n;
    known.couponDue = more > 0n ? known.couponDue + given : due;
    known.couponBack += given - taken;
    const type = "coupon_reimbursement";
    this.#write(coupon.owner, { type, points: given - taken, order: known.order.id, line: null });
  }

  /** Takes points back: no more than the order gave that customer, as far as the balance goes; what it lacks is forgiven, owed or a task. */
  #take(known: Known, id: string, points: bigint): void {
    const person = this.person(id);
    const { shortfall } = this.program;
    const wanted = least(points, greatest(0n, known.kept.get(id) ?? 0n));
    const taken = shortfall === "refuse" && wanted > person.points ? 0n : least(wanted, person.points);
    const owed = shortfall === "owe" ? wanted - taken : 0n;
    this.#write(id, { type: "refund", points: -taken, order: known.order.id, line: null });
    person.owed += owed;
    known.awarded -= taken;
    add(known.kept, id, -taken - owed);
    add(known.asked, id, -points);
  }

  /** Gives points, less what the order's customers keep beyond what it awarded before. */
  #award(known: Known, id: string, points: bigint, what: Pick<Written, "type" | "line">): void {
    const excess = greatest(0n, total(known.kept) - total(known.asked));
    const given = greatest(0n, points - excess);
    this.#write(id, { ...what, points: given, order: known.order.id });
    known.awarded += given;
    add(known.kept, id, given);
    add(known.asked, id, points);
    this.#payDebt(id, given);
  }

  /** What is owed is taken from what an award gives. */
  #payDebt(id: string, given: bigint): void {
    const person = this.person(id);
    const paid = least(person.owed, greatest(0n, given));
    person.owed -= paid;
    this.#write(id, { type: "refund", points: -paid, order: null, line: null });
  }

  #write(id: string, written: Written): void {
    if (written.points === 0n) return;
    const person = this.person(id);
    person.points += written.points;
    person.written.push(written);
  }
}

function isDue({ dueAt }: Delivery, { program }: Rules, now: Temporal.Instant): boolean {
  return program.pendingDays === 0 || !isBefore(now, dueAt);
}

function total(sums: ReadonlyMap<string, bigint>): bigint {
  return [...sums.values()].reduce((sum, points) => sum + points, 0n);
}

function add(sums: Map<string, bigint>, key: string, points: bigint): void {
  sums.set(key, (sums.get(key) ?? 0n) + points);
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function greatest(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

function found<T>(all: ReadonlyMap<string, T>, key: string): T {
  const value = all.get(key);
  if (value === undefined) throw new Error(`the model knows no ${key}`);
  return value;
}
