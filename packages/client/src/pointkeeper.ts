import { PointkeeperError } from "./error.ts";
import { Events } from "./events.ts";
import { Intake } from "./intake.ts";
import { type Body, type Id, OperationCaller, type Query } from "./operation.ts";
import { Reports } from "./reports.ts";
import { type CallOptions, type PointkeeperOptions, Transport } from "./transport.ts";

const API = "/api/storefront";
type Topic = Body<"POST /api/storefront/webhooks">["topic"];

/**
 * A client of one store's Pointkeeper. Every method may throw PointkeeperError, TypeError for an input that cannot be sent, or the reason of an
 * aborted signal.
 */
export class Pointkeeper {
  readonly #call: OperationCaller;
  readonly customers: Customers;
  readonly pointAllotments: PointAllotments;
  readonly pointBalances: PointBalances;
  readonly tiers: Tiers;
  readonly orders: Orders;
  readonly products: Products;
  readonly coupons: Coupons;
  readonly reservations: Reservations;
  readonly exports: Exports;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly ledger: Ledger;
  readonly reports: Reports;
  readonly intake: Intake;
  readonly sandbox: Sandbox;

  constructor(options: PointkeeperOptions) {
    const call = new OperationCaller(new Transport(options));
    this.#call = call;
    this.customers = new Customers(call);
    this.pointAllotments = new PointAllotments(call);
    this.pointBalances = new PointBalances(call);
    this.tiers = new Tiers(call);
    this.orders = new Orders(call);
    this.products = new Products(call);
    this.coupons = new Coupons(call);
    this.reservations = new Reservations(call);
    this.exports = new Exports(call);
    this.webhooks = new Webhooks(call);
    this.events = new Events(call);
    this.ledger = new Ledger(call);
    this.reports = new Reports(call);
    this.intake = new Intake(call);
    this.sandbox = new Sandbox(call);
  }

  /** Returns whether the process is running. */
  health(options?: CallOptions) {
    return this.#call.whole("GET /health", {}, options);
  }

  /** Returns whether the service can work; 503 if it cannot. */
  ready(options?: CallOptions) {
    return this.#call.whole("GET /ready", {}, options);
  }
}

class Resource {
  protected readonly call: OperationCaller;

  constructor(call: OperationCaller) {
    this.call = call;
  }
}

class Customers extends Resource {
  get(customer: Id, options?: CallOptions) {
    return this.call.data(`GET ${API}/customers/{}`, { ids: [customer] }, options);
  }

  /** Creates the customer, or changes the given fields. */
  put(id: Id, body: Body<"PUT /api/storefront/customers/{}">, options?: CallOptions) {
    return this.call.data(`PUT ${API}/customers/{}`, { ids: [id], body }, options);
  }

  /** Returns the customers that were merged into this one. */
  merged(customer: Id, options?: CallOptions) {
    return this.call.data(`GET ${API}/customers/{}/merged`, { ids: [customer] }, options);
  }

  /** Returns everything stored about the customer: a response whose body streams one JSON document. */
  storedData(customer: Id, options?: CallOptions): Promise<Response> {
    return this.call.stream(`GET ${API}/customers/{}/data`, { ids: [customer] }, options);
  }
}

class PointAllotments extends Resource {
  /** Returns the store's allotments, oldest first unless `direction` is `desc`. */
  list(query?: Query<"GET /api/storefront/point_allotments">, options?: CallOptions) {
    return this.call.list(`GET ${API}/point_allotments`, { query }, options);
  }

  listOfCustomer(customer: Id, query?: Query<"GET /api/storefront/point_allotments/{}">, options?: CallOptions) {
    return this.call.list(`GET ${API}/point_allotments/{}`, { ids: [customer], query }, options);
  }

  /** Gives (positive) or takes (negative) points. 400 if the balance would become negative. */
  create(body: Body<"POST /api/storefront/point_allotments">, options?: CallOptions) {
    return this.call.data(`POST ${API}/point_allotments`, { body }, options);
  }

  explain(
    uid: string,
    query?: Query<"GET /api/storefront/point_allotments/uid/{}/explanation">,
    options?: CallOptions,
  ) {
    return this.call.data(`GET ${API}/point_allotments/uid/{}/explanation`, { ids: [uid], query }, options);
  }

  proof(uid: string, options?: CallOptions) {
    return this.call.data(`GET ${API}/point_allotments/uid/{}/proof`, { ids: [uid] }, options);
  }
}

class PointBalances extends Resource {
  get(customer: Id, query?: Query<"GET /api/storefront/point_balances/{}">, options?: CallOptions) {
    return this.call.data(`GET ${API}/point_balances/{}`, { ids: [customer], query }, options);
  }

  /** Sets the available points, 0 or more; the difference becomes an allotment. */
  set(customer: Id, balance: number, options?: CallOptions) {
    return this.call.data(
      `POST ${API}/point_balances/{}/set_balances`,
      { ids: [customer], body: { balance } },
      options,
    );
  }

  expiries(customer: Id, options?: CallOptions) {
    return this.call.data(`GET ${API}/point_balances/{}/expiries`, { ids: [customer] }, options);
  }

  explain(customer: Id, query?: Query<"GET /api/storefront/point_balances/{}/explanation">, options?: CallOptions) {
    return this.call.data(`GET ${API}/point_balances/{}/explanation`, { ids: [customer], query }, options);
  }
}

class Tiers extends Resource {
  /** Returns the tier rules, lowest first. */
  list(options?: CallOptions) {
    return this.call.data(`GET ${API}/tiers`, {}, options);
  }

  get(customer: Id, query?: Query<"GET /api/storefront/point_balances/{}/tier">, options?: CallOptions) {
    return this.call.data(`GET ${API}/point_balances/{}/tier`, { ids: [customer], query }, options);
  }

  update(customer: Id, body: Body<"POST /api/storefront/point_balances/{}/tiers">, options?: CallOptions) {
    return this.call.data(`POST ${API}/point_balances/{}/tiers`, { ids: [customer], body }, options);
  }

  /** Returns the changes of a customer's tier, newest first. */
  changes(customer: Id, query?: Query<"GET /api/storefront/point_balances/{}/tier_changes">, options?: CallOptions) {
    return this.call.list(`GET ${API}/point_balances/{}/tier_changes`, { ids: [customer], query }, options, true);
  }

  explain(
    customer: Id,
    query?: Query<"GET /api/storefront/point_balances/{}/tier/explanation">,
    options?: CallOptions,
  ) {
    return this.call.data(`GET ${API}/point_balances/{}/tier/explanation`, { ids: [customer], query }, options);
  }
}

class Orders extends Resource {
  /** Returns the point data of orders by their ids, at most 250; unknown ones are absent. */
  get(ids: readonly Id[], options?: CallOptions) {
    if (ids.length > 250) return Promise.reject(new TypeError("ids: expected at most 250"));
    return this.call.data(`GET ${API}/orders`, { query: { ids: ids.map(String).join(",") } }, options);
  }

  /** Returns what an order or cart would earn; writes nothing. */
  preview(body: Readonly<Record<string, unknown>>, options?: CallOptions) {
    return this.call.data(`POST ${API}/orders/preview`, { body }, options);
  }
}

class Products extends Resource {
  /** Sets a product's tags and collections, replacing each list. */
  put(id: Id, body: Body<"PUT /api/storefront/products/{}">, options?: CallOptions) {
    return this.call.whole(`PUT ${API}/products/{}`, { ids: [id], body }, options);
  }
}

class Coupons extends Resource {
  /** Sells a discount code for points. */
  create(body: Body<"POST /api/storefront/coupons">, options?: CallOptions) {
    return this.call.data(`POST ${API}/coupons`, { body }, options);
  }

  get(code: string, options?: CallOptions) {
    return this.call.data(`GET ${API}/coupons/{}`, { ids: [code] }, options);
  }

  /** Removes an unused coupon and returns its points. */
  delete(code: string, options?: CallOptions) {
    return this.call.data(`DELETE ${API}/coupons/{}`, { ids: [code] }, options);
  }
}

class Reservations extends Resource {
  /** Sets points aside until they are captured, released, or `ttl_seconds` have passed. */
  create(body: Body<"POST /api/storefront/reservations">, options?: CallOptions) {
    return this.call.data(`POST ${API}/reservations`, { body }, options);
  }

  get(id: string, options?: CallOptions) {
    return this.call.data(`GET ${API}/reservations/{}`, { ids: [id] }, options);
  }

  /** Takes all of the points, or `point_value` of them, and releases the rest. */
  capture(id: string, body: Body<"POST /api/storefront/reservations/{}/capture"> = {}, options?: CallOptions) {
    return this.call.data(`POST ${API}/reservations/{}/capture`, { ids: [id], body }, options);
  }

  release(id: string, options?: CallOptions) {
    return this.call.data(`POST ${API}/reservations/{}/release`, { ids: [id] }, options);
  }
}

class Exports extends Resource {
  /** Requests a file of balances. Refused with 429, without retries, within 8 hours of the last one. */
  create(body: Body<"POST /api/storefront/point_balances/export">, options?: CallOptions) {
    return this.call.data(`POST ${API}/point_balances/export`, { body }, options);
  }

  /** Returns an export's state and, once there is a file, a URL that works for an hour without credentials. */
  get(uid: string, options?: CallOptions) {
    return this.call.data(`GET ${API}/point_balances/export/{}`, { ids: [uid] }, options);
  }
}

class Webhooks extends Resource {
  list(options?: CallOptions) {
    return this.call.data(`GET ${API}/webhooks`, {}, options);
  }

  /** Subscribes a topic; only this response contains the subscription's `secret`. */
  create(body: Body<"POST /api/storefront/webhooks">, options?: CallOptions) {
    return this.call.data(`POST ${API}/webhooks`, { body }, options);
  }

  /** Ends a topic's subscription. */
  async delete(topic: Topic, options?: CallOptions): Promise<void> {
    try {
      await this.call.whole(`DELETE ${API}/webhooks`, { query: { topic }, body: { topic } }, options);
    } catch (error) {
      // An earlier attempt, whose response was lost, has deleted it.
      if (!(error instanceof PointkeeperError && error.status === 404 && error.attempts > 1)) throw error;
    }
  }
}

class Ledger extends Resource {
  /** Returns the newest signed checkpoint and the public key. */
  checkpoint(options?: CallOptions) {
    return this.call.data(`GET ${API}/ledger/checkpoint`, {}, options);
  }
}

class Sandbox extends Resource {
  clock(options?: CallOptions) {
    return this.call.whole("GET /sandbox/clock", {}, options);
  }

  /** Moves the test clock forward; returns when everything that became due is done. */
  setClock(now: string, options?: CallOptions) {
    return this.call.whole("PUT /sandbox/clock", { body: { now } }, options);
  }
}
