import { parseArgs } from "node:util";

export const HELP = `Usage: npm run demo -- [options]

Starts Pointkeeper on a temporary data folder, posts recorded payloads of Shopify, whole stories of orders and a season
of a made-up tea shop to it, receives its webhooks, and shows what came of it all.

With --keep alone it makes a store to look at instead: 10,000 customers and two years, and says how to sign in to its
dashboard. That takes some minutes. In the last two weeks it sends balances to a shop, which refuses some of them.

  --customers <n>   customers of the season (200)
  --orders <n>      orders of each customer (5)
  --days <n>        length of the season, which ends today (90)
  --seed <n>        another number makes another season (1)
  --keep            leave the data folder, and say how to start the service on it
  --data <folder>   with --keep: where the store to look at goes (a temporary folder)
  --storefront      at the end, leave the tea shop's pages open to a browser until Ctrl-C
  --help            this text

Ends with 1 where a sum, a signature or the ledger does not hold.
`;

export interface DemoOptions {
  readonly customers: number;
  readonly ordersEach: number;
  readonly days: number;
  readonly seed: number;
  readonly keep: boolean;
  /** Continues to run after the season, with the shop's pages open. */
  readonly storefront: boolean;
  /** Creates a store to look at instead of the demo: `keep`, without the size of a season. */
  readonly isStore: boolean;
  /** The data folder of that store; null: a temporary one. */
  readonly dataFolder: string | null;
  readonly help: boolean;
}

const LIMITS = { customers: [1, 100_000], orders: [1, 1_000], days: [1, 3_650], seed: [0, 4_294_967_295] } as const;

const SEASON = { customers: 200, ordersEach: 5, days: 90 };
const STORE = { customers: 10_000, ordersEach: 3, days: 730 };

/** Parses a command line; returns a text if the options are wrong. */
export function readOptions(args: readonly string[]): DemoOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        customers: { type: "string" },
        orders: { type: "string" },
        days: { type: "string" },
        seed: { type: "string", default: "1" },
        data: { type: "string" },
        keep: { type: "boolean", default: false },
        storefront: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const faults = Object.entries(LIMITS).flatMap(([name, [min, max]]) => {
      const given = { ...values }[name];
      return given === undefined || (typeof given === "string" && isWithin(given, min, max))
        ? []
        : [`--${name} takes a whole number from ${min} to ${max}.`];
    });
    if (faults.length > 0) return faults.join("\n");
    const isSized = [values.customers, values.orders, values.days].some((size) => size !== undefined);
    const isStore = values.keep && (!isSized || values.data !== undefined);
    if (values.data !== undefined && !isStore) return "--data goes with --keep.";
    if (values.storefront && isStore) return "--storefront goes with a season: leave --keep out, or add --customers.";
    const usual = isStore ? STORE : SEASON;
    return {
      customers: Number(values.customers ?? usual.customers),
      ordersEach: Number(values.orders ?? usual.ordersEach),
      days: Number(values.days ?? usual.days),
      seed: Number(values.seed),
      keep: values.keep,
      storefront: values.storefront,
      isStore,
      dataFolder: values.data ?? null,
      help: values.help,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isWithin(given: string, min: number, max: number): boolean {
  return /^\d{1,12}$/.test(given) && Number(given) >= min && Number(given) <= max;
}
