import { styleText } from "node:util";
import { type DestinationStream, pino } from "pino";
import type { Log } from "./deps.ts";
import type { LogLines } from "./instruments/instruments.ts";
import { currentRequest } from "./instruments/request-scope.ts";

export interface LogOptions {
  /** The lowest level that is written; `silent` writes nothing. */
  readonly level: string;
  /** Writes lines for people instead of JSON. */
  readonly pretty: boolean;
  readonly write?: (line: string) => void;
  /** Counts the written lines. */
  readonly lines?: LogLines;
}

export interface ClosableLog extends Log {
  /** Writes the number of suppressed lines of each flood. */
  close(): void;
}

type Level = keyof LogLines;

/** How many warnings or errors with the same message are written per window; one line at its end counts the others. */
const FLOOD_LINES = 20;
const FLOOD_WINDOW_MS = 10_000;
/** Messages are constants of the code, so there are few. */
const MESSAGES_MAX = 1_000;

/** Callers do not pass these fields; if one does, their values are not written. */
const SECRETS = ["authorization", "cookie", "password", "secret", "token"];

/**
 * Creates a log with one JSON object per line: level, time, fields and message. Callers pass no header, body or e-mail; an error is written as name,
 * message, code and stack. A line of a request has its `requestId`. A line is written before the call returns, so that a crash loses none. Of a flood
 * of the same warning or error, 20 lines are written in 10 seconds, then one with the number of `more`; with level `debug` all are.
 */
export function createLog({ level, pretty, write = writeOut, lines }: LogOptions): ClosableLog {
  const stream = write === writeOut ? process.stdout : process.stderr; // a caller with another writer writes to stderr, or shows nothing
  const destination: DestinationStream = { write: pretty ? (line) => write(prettyLine(line, stream)) : write };
  const options = {
    level,
    base: null,
    messageKey: "message",
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (value: unknown) => value },
    formatters: { level: (label: string) => ({ level: label }), log: plain },
    mixin: requestFields,
    redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`]), censor: "[redacted]" },
  };
  const logger = pino(options, destination);
  const floods = level === "debug" ? undefined : createFloodLimit((at, fields, message) => logger[at](fields, message));
  const writer = (at: Level) => (fields: object, message: string) => {
    if (lines !== undefined) lines[at] += 1;
    if (!logger.isLevelEnabled(at)) return;
    if (floods === undefined || at === "info" || floods.mayWrite(at, message)) logger[at](fields, message);
  };
  return {
    debug: writer("debug"),
    info: writer("info"),
    warn: writer("warn"),
    error: writer("error"),
    close: () => floods?.close(),
  };
}

function requestFields(): object {
  const request = currentRequest();
  if (request === undefined) return {};
  const { id, span } = request;
  return span === null ? { requestId: id } : { requestId: id, traceId: span.traceparent.split("-", 2)[1] };
}

interface Flood {
  readonly level: "warn" | "error";
  readonly message: string;
  written: number;
  more: number;
}

/** Counts lines by message, in windows that begin with a line; a window's timer does not keep the process alive. */
function createFloodLimit(write: (level: "warn" | "error", fields: object, message: string) => void) {
  const floods = new Map<string, Flood>();

  function end(key: string, flood: Flood): void {
    floods.delete(key);
    if (flood.more > 0) write(flood.level, { more: flood.more, seconds: FLOOD_WINDOW_MS / 1_000 }, flood.message);
  }

  return {
    mayWrite(level: Level, message: string): boolean {
      if (level !== "warn" && level !== "error") return true;
      const key = `${level} ${message}`;
      const known = floods.get(key);
      if (known === undefined) {
        if (floods.size >= MESSAGES_MAX) return true;
        const flood: Flood = { level, message, written: 1, more: 0 };
        floods.set(key, flood);
        setTimeout(() => end(key, flood), FLOOD_WINDOW_MS).unref();
        return true;
      }
      if (known.written >= FLOOD_LINES) {
        known.more += 1;
        return false;
      }
      known.written += 1;
      return true;
    },
    close() {
      for (const [key, flood] of [...floods]) end(key, flood);
    },
  };
}

/** Written synchronously: pipes, files and terminals of this process are synchronous. */
function writeOut(line: string): void {
  process.stdout.write(line);
}

function plain(fields: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]: [string, unknown]) => [name, plainValue(value)]),
  );
}

/** JSON has neither errors nor large integers. */
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

const COLOURS: Readonly<Record<string, "gray" | "cyan" | "yellow" | "red">> = {
  debug: "gray",
  info: "cyan",
  warn: "yellow",
  error: "red",
};

/** Control characters except line ends and tabs: a terminal obeys them, and an error may have the answer of somebody else in its message. */
export const CONTROLS = /[^\P{Cc}\n\t]/gu;

/** The same line for a reader: stacks of errors stand below it. */
function prettyLine(line: string, stream: NodeJS.WriteStream): string {
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
  const start = `${String(time).slice(11, 23)} ${styleText(COLOURS[label] ?? "reset", label.padEnd(5), { stream })}`;
  return `${start} ${`${String(message)}${tail}${stacks}`.replace(CONTROLS, "\ufffd")}\n`;
}
