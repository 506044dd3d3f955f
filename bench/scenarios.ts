/** The input of one request of a scenario. */
export interface Wanted {
  readonly customer: number;
  readonly pointValue: number;
}

export interface Scenario {
  readonly name: string;
  readonly path: string;
  readonly connections: number;
  /** Each request has its own Idempotency-Key. */
  readonly hasKeys: boolean;
  /** Sent to the bare Fastify server. */
  readonly isBare: boolean;
  /** A receiver is subscribed to `point_allotment/cascade` and `point_balance/update`; the run ends when everything is delivered. */
  readonly hasReceiver: boolean;
  /** The n-th request of a connection. */
  readonly wanted: (connection: number, n: number) => Wanted;
}

export const EMPTY_PATH = "/api/storefront/bench/empty";
/** The same route in the framework, like all routes except the busiest. */
const FRAMEWORK_PATH = "/api/storefront/bench/empty-by-framework";
const AWARD_PATH = "/api/storefront/point_allotments";

/** Whether the route of a path does nothing. */
export function isEmpty(path: string): boolean {
  return path === EMPTY_PATH || path === FRAMEWORK_PATH;
}

/** Returns every scenario, with the bare and the empty route for the same number of connections, for comparison. */
export function scenariosOf(customers: number): Scenario[] {
  const seen = new Map<number, number>();
  /** Walks through all customers, each connection through its own, and further in each run. */
  const spread = (connections: number) => (connection: number) => {
    const step = seen.get(connection) ?? 0;
    seen.set(connection, step + 1);
    return (connection + step * connections) % customers;
  };
  const award = (connections: number) => {
    const next = spread(connections);
    return (connection: number): Wanted => ({ customer: next(connection), pointValue: 100 });
  };
  const plain = { path: AWARD_PATH, isBare: false, hasKeys: false, hasReceiver: false };
  const bare = { ...plain, path: "/bare", isBare: true };
  const empty = { ...plain, path: EMPTY_PATH };
  return [
    { ...bare, name: "bare Fastify route, 1", connections: 1, wanted: award(1) },
    { ...empty, name: "empty route, 1", connections: 1, wanted: award(1) },
    { ...plain, name: "awards, 1", connections: 1, wanted: award(1) },
    { ...bare, name: "bare Fastify route, 128", connections: 128, wanted: award(128) },
    { ...empty, name: "empty route, 128", connections: 128, wanted: award(128) },
    { ...empty, path: FRAMEWORK_PATH, name: "empty route by the framework, 128", connections: 128, wanted: award(128) },
    { ...plain, name: "awards, 128, spread", connections: 128, wanted: award(128) },
    {
      ...plain,
      name: "awards, 128, one hot customer",
      connections: 128,
      wanted: () => ({ customer: 0, pointValue: 100 }),
    },
    { ...plain, name: "awards, 128, spread, keys", connections: 128, hasKeys: true, wanted: award(128) },
    { ...plain, name: "awards and 30 % debits, 128, spread", connections: 128, wanted: mixed(spread(128)) },
    {
      ...plain,
      name: "awards, 128, spread, both topics delivered",
      connections: 128,
      hasReceiver: true,
      wanted: award(128),
    },
  ];
}

/** Of ten requests, seven award 100 points and three take 10 from a customer who was just awarded. */
function mixed(next: (connection: number) => number): Scenario["wanted"] {
  const last = new Map<number, number>();
  return (connection, n) => {
    if (n % 10 === 2 || n % 10 === 5 || n % 10 === 8) return { customer: last.get(connection) ?? 0, pointValue: -10 };
    const customer = next(connection);
    last.set(connection, customer);
    return { customer, pointValue: 100 };
  };
}

/** The storefront id of a seeded customer. */
export function storefrontIdOf(customer: number): string {
  return String(7_000_000_000_000 + customer);
}
