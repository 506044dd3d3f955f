import { parseArgs } from "node:util";

export const HELP = `Usage: npm run demo -- [options]

Starts Pointkeeper on a temporary data folder, posts recorded payloads of Shopify, whole stories of orders and a season
of a made-up tea shop to it, receives its webhooks, and shows what came of it all.

  --customers <n>   customers of the season (200)
  --orders <n>      orders of each customer (5)
  --days <n>        length of the season, which ends today (90)
  --seed <n>        another number makes another season (1)
  --keep            leave the data folder, and say how to start the service on it
  --help            this text

Ends with 1 where a sum, a signature or the ledger does not hold.
`;

export interface DemoOptions {
  readonly customers: number;
  readonly ordersEach: number;
  readonly days: number;
  readonly seed: number;
  readonly keep: boolean;
  readonly help: boolean;
}

const LIMITS = { customers: [1, 100_000], orders: [1, 1_000], days: [1, 3_650], seed: [0, 4_294_967_295] } as const;

/** The options of a command line; a text says what is wrong with them. */
export function readOptions(args: readonly string[]): DemoOptions | string {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        customers: { type: "string", default: "200" },
        orders: { type: "string", default: "5" },
        days: { type: "string", default: "90" },
        seed: { type: "string", default: "1" },
        keep: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const faults = Object.entries(LIMITS).flatMap(([name, [min, max]]) => {
      const given = { ...values }[name];
      return typeof given === "string" && isWithin(given, min, max)
        ? []
        : [`--${name} takes a whole number from ${min} to ${max}.`];
    });
    if (faults.length > 0) return faults.join("\n");
    return {
      customers: Number(values.customers),
      ordersEach: Number(values.orders),
      days: Number(values.days),
      seed: Number(values.seed),
      keep: values.keep,
      help: values.help,
    };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function isWithin(given: string, min: number, max: number): boolean {
  return /^\d{1,12}$/.test(given) && Number(given) >= min && Number(given) <= max;
}
