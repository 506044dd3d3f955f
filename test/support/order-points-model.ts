/**
 * The result of orders, spending, moves and merges, written from program.md 4 only: an order of four units, 25 points each, of which the customers of
 * the order keep what it awards, and more only by what could not be taken back when the award decreased.
 */

const UNITS = 4;
const UNIT_POINTS = 25;

export type Shortfall = "cap" | "owe" | "refuse";

interface Balance {
  points: number;
  owed: number;
}

interface Order {
  owner: string;
  readonly shipments: Map<string, { readonly units: number; isCancelled: boolean }>;
  /** Shipments that were awarded, even with 0 points. */
  readonly counted: Set<string>;
  returned: number;
  isCancelled: boolean;
  /** By customer: the order's current award, and how much of it they have, including what they have spent. */
  readonly asked: Map<string, number>;
  readonly kept: Map<string, number>;
  /** Given less taken, by the order's allotments. */
  awarded: number;
}

export class OrderPointsModel {
  readonly #shortfall: Shortfall;
  readonly #balances = new Map<string, Balance>();
  readonly #orders = new Map<string, Order>();
  readonly #mergedInto = new Map<string, string>();

  constructor(shortfall: Shortfall) {
    this.#shortfall = shortfall;
  }

  /** The customer who has somebody's points now. */
  holder(customer: string): string {
    const into = this.#mergedInto.get(customer);
    return into === undefined ? customer : this.holder(into);
  }

  balance(customer: string): Balance {
    const holder = this.holder(customer);
    const known = this.#balances.get(holder) ?? { points: 0, owed: 0 };
    this.#balances.set(holder, known);
    return known;
  }

  order(id: string): Order {
    const order = this.#orders.get(id);
    if (order === undefined) throw new Error(`no order ${id}`);
    return order;
  }

  awarded(id: string): number {
    return this.order(id).awarded;
  }

  /** The order's current award, and how much was ever kept beyond it. */
  target(id: string): number {
    const order = this.order(id);
    return targetOf(order, [...order.shipments.keys()]);
  }

  kept(id: string): number {
    return total(this.order(id).kept);
  }

  place(id: string, owner: string): void {
    this.#orders.set(id, {
      ...{ owner, shipments: new Map(), counted: new Set(), returned: 0, isCancelled: false },
      ...{ asked: new Map(), kept: new Map(), awarded: 0 },
    });
  }

  earn(customer: string, points: number): void {
    this.#credit(customer, points);
  }

  spend(customer: string, points: number): void {
    this.balance(customer).points -= points;
  }

  merge(removed: string, kept: string): void {
    const [from, to] = [this.balance(removed), this.balance(kept)];
    const [old, holder] = [this.holder(removed), this.holder(kept)];
    to.points += from.points;
    to.owed += from.owed;
    this.#mergedInto.set(old, holder);
    for (const order of this.#orders.values()) {
      for (const sums of [order.asked, order.kept]) {
        sums.set(holder, (sums.get(holder) ?? 0) + (sums.get(old) ?? 0));
        sums.delete(old);
      }
    }
  }

  /** Sets the points of an order to what its facts require now. */
  settle(id: string): void {
    const order = this.order(id);
    const owner = this.holder(order.owner);
    for (const [other, asked] of [...order.asked]) {
      if (other === owner || asked <= 0) continue;
      this.#take(order, other, asked);
      this.#give(order, owner, asked);
    }
    const shipped = [...order.shipments].filter(([, { isCancelled }]) => !isCancelled).map(([shipment]) => shipment);
    const known = shipped.filter((shipment) => order.counted.has(shipment));
    this.#change(order, owner, targetOf(order, known) - total(order.asked));
    this.#change(order, owner, targetOf(order, shipped) - total(order.asked));
    for (const shipment of shipped) order.counted.add(shipment);
  }

  #change(order: Order, owner: string, points: number): void {
    if (points < 0) this.#take(order, owner, -points);
    if (points > 0) this.#give(order, owner, points);
  }

  /** Takes points back, at most what the order gave and the balance has; with `owe` the rest counts as taken, because it will be. */
  #take(order: Order, customer: string, points: number): void {
    const balance = this.balance(customer);
    const wanted = Math.min(points, order.kept.get(customer) ?? 0);
    const refused = this.#shortfall === "refuse" && wanted > balance.points;
    const taken = refused ? 0 : Math.min(wanted, balance.points);
    const owed = this.#shortfall === "owe" ? wanted - taken : 0;
    balance.points -= taken;
    balance.owed += owed;
    order.awarded -= taken;
    add(order.kept, customer, -taken - owed);
    add(order.asked, customer, -points);
  }

  /** Gives points, less what is already kept beyond earlier awards. */
  #give(order: Order, customer: string, points: number): void {
    const excess = Math.max(0, total(order.kept) - total(order.asked));
    const given = Math.max(0, points - excess);
    order.awarded += given;
    add(order.kept, customer, given);
    add(order.asked, customer, points);
    this.#credit(customer, given);
  }

  #credit(customer: string, points: number): void {
    const balance = this.balance(customer);
    const paid = Math.min(balance.owed, points);
    balance.owed -= paid;
    balance.points += points - paid;
  }
}

function targetOf({ isCancelled, returned, shipments }: Order, ids: readonly string[]): number {
  if (isCancelled) return 0;
  const units = ids.reduce((sum, id) => {
    const shipment = shipments.get(id);
    return sum + (shipment === undefined || shipment.isCancelled ? 0 : shipment.units);
  }, 0);
  return UNIT_POINTS * Math.min(Math.max(0, units - returned), UNITS - returned);
}

function total(sums: ReadonlyMap<string, number>): number {
  return [...sums.values()].reduce((sum, points) => sum + points, 0);
}

function add(sums: Map<string, number>, key: string, points: number): void {
  sums.set(key, (sums.get(key) ?? 0) + points);
}
