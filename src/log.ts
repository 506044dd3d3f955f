import { type DestinationStream, pino } from "pino";
import type { Log } from "./deps.ts";

export interface LogOptions {
  /** The least level written; `silent` writes nothing. */
  readonly level: string;
  /** Lines for a reader instead of JSON. */
  readonly pretty: boolean;
  readonly write?: (line: string) => void;
}

/** Fields that no caller passes; should one, their values are not written. */
const SECRETS = ["authorization", "cookie", "password", "secret", "token"];

/**
 * Makes a log of one JSON object a line: level, time, fields and message. Callers pass no header, body or e-mail; an
 * error is written as name, message, code and stack. A line is written before the call returns, so that a crash loses none.
 */
export function createLog({ level, pretty, write = writeOut }: LogOptions): Log {
  const destination: DestinationStream = { write: pretty ? (line) => write(prettyLine(line)) : write };
  const options = {
    level,
    base: null,
    messageKey: "message",
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (value: unknown) => value },
    formatters: { level: (label: string) => ({ level: label }), log: plain },
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
  };
  return pino(options, destination);
}

/** Written at once: pipes, files and terminals of this process are synchronous. */
function writeOut(line: string): void {
  process.stdout.write(line);
}

function plain(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [name, plainValue(value)]),
  );
}

/** JSON has neither errors nor integers of any size. */
function plainValue(value: unknown): unknown {
  if (typeof value === "bigint") return String(value);
  if (value instanceof Error) return plainError(value);
  if (Array.isArray(value)) return value.map(plainValue);
  const isPlain = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return isPlain ? plain(value) : value;
}

function plainError(error: Error): Record<string, unknown> {
  const code: unknown = Reflect.get(error, "code");
  return { name: error.name, message: error.message, ...(code === undefined ? {} : { code }), stack: error.stack };
}

const COLOURS: Readonly<Record<string, number>> = { debug: 90, info: 36, warn: 33, error: 31 };

/** The same line for a reader: stacks of errors stand below it. */
function prettyLine(line: string): string {
  const { time, level, message, ...fields }: Record<string, unknown> = JSON.parse(line);
  const label = String(level);
  const rest: Record<string, unknown> = {};
  let stacks = "";
  for (const [name, value] of Object.entries(fields)) {
    const stack = typeof value === "object" && value !== null ? Reflect.get(value, "stack") : undefined;
    if (typeof stack === "string") stacks += `\n    ${stack.replaceAll("\n", "\n    ")}`;
    else rest[name] = value;
  }
  const tail = Object.keys(rest).length === 0 ? "" : ` ${JSON.stringify(rest)}`;
  const start = `${String(time).slice(11, 23)} \u001b[${COLOURS[label]}m${label.padEnd(5)}\u001b[0m`;
  return `${start} ${String(message)}${tail}${stacks}\n`;
}
