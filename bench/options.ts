import { parseArgs } from "node:util";

export interface Options {
  /** The approximate duration of each run: its number of requests is computed from the previous run. */
  readonly seconds: number;
  readonly customers: number;
  /** Runs of each scenario; the medians are shown. */
  readonly rounds: number;
  /** Only scenarios whose name contains this text; the empty routes are always measured. */
  readonly only: string;
  readonly json: boolean;
  /** A folder for CPU profiles of the server. */
  readonly profile: string | undefined;
  /** Measures stores from 0.1 million allotments up to this number instead; null: the table of requests. */
  readonly scale: number | null;
  /** Where the stores of `scale` are kept; absent: they are created and removed. */
  readonly folder: string | undefined;
}

const SCALES: Readonly<Record<string, number>> = { "100k": 100_000, "1m": 1_000_000, "10m": 10_000_000 };

const HELP = `npm run bench -- [--seconds 5] [--rounds 3] [--customers 100000] [--only <text>] [--json] [--profile <folder>]
npm run bench -- --scale 100k|1m|10m [--folder <folder>] [--seconds 5] [--json]\n`;

/** Parses the command line; null: the help was shown. */
export function readOptions(args: readonly string[]): Options | null {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: "string", default: "5" },
      customers: { type: "string", default: "100000" },
      rounds: { type: "string", default: "3" },
      only: { type: "string", default: "" },
      json: { type: "boolean", default: false },
      profile: { type: "string" },
      scale: { type: "string" },
      folder: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return null;
  }
  return {
    seconds: positive("--seconds", values.seconds),
    customers: Math.max(1_000, Math.round(positive("--customers", values.customers))),
    rounds: Math.round(positive("--rounds", values.rounds)),
    only: values.only,
    json: values.json,
    profile: values.profile,
    scale: values.scale === undefined ? null : scaleOf(values.scale),
    folder: values.folder,
  };
}

function scaleOf(text: string): number {
  const allotments = SCALES[text.toLowerCase()];
  if (allotments === undefined)
    throw new Error(`--scale must be one of ${Object.keys(SCALES).join(", ")}, not "${text}".`);
  return allotments;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value <= 0) throw new Error(`${name} must be a number above 0, not "${text}".`);
  return value;
}
