import type { Log } from "./deps.ts";

const LEVELS = ["debug", "info", "warn", "error"] as const;
type Level = (typeof LEVELS)[number];

export interface LogOptions {
  /** The least level written; `silent` writes nothing. */
  readonly level: string;
  /** Lines for a reader instead of JSON. */
  readonly pretty: boolean;
  readonly write?: (line: string) => void;
}

/**
 * One JSON object a line: time, level, message and fields. Whoever calls it passes no header, body or e-mail; an error is written
 * as name, message, code and stack.
 */
export function createLog(options: LogOptions): Log {
  const write = options.write ?? ((line: string) => void process.stdout.write(line));
  const least = options.level === "silent" ? LEVELS.length : rankOf(options.level);
  const format = options.pretty ? prettyLine : jsonLine;
  const at = (level: Level) => {
    const isWritten = LEVELS.indexOf(level) >= least;
    return (fields: object, message: string) => {
      if (isWritten) write(format(level, fields, message));
    };
  };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A level that is none writes everything. */
function rankOf(name: string): number {
  const ranks: ReadonlyMap<string, number> = new Map(LEVELS.map((level, rank) => [level, rank]));
  return ranks.get(name) ?? 0;
}

function jsonLine(level: Level, fields: object, message: string): string {
  return `${JSON.stringify({ time: new Date().toISOString(), level, message, ...plain(fields) }, bigintsAsText)}\n`;
}

const COLOURS = { debug: 90, info: 36, warn: 33, error: 31 } as const;

function prettyLine(level: Level, fields: object, message: string): string {
  const time = new Date().toISOString().slice(11, 23);
  const entries = Object.entries(fields);
  const rest = Object.fromEntries(entries.filter(([, value]) => !(value instanceof Error)));
  const tail = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest, bigintsAsText)}`;
  const stacks = entries.map(([, value]) =>
    value instanceof Error ? `\n    ${stackOf(value).replaceAll("\n", "\n    ")}` : "",
  );
  return `${time} \u001b[${COLOURS[level]}m${level.padEnd(5)}\u001b[0m ${message}${tail}${stacks.join("")}\n`;
}

function plain(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Error ? plainError(value) : value,
    ]),
  );
}

function plainError(error: Error): Record<string, unknown> {
  const code: unknown = Reflect.get(error, "code");
  return { name: error.name, message: error.message, ...(code === undefined ? {} : { code }), stack: error.stack };
}

function stackOf(error: Error): string {
  return error.stack ?? error.message;
}

function bigintsAsText(_name: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
