import { sqlState } from "./pool.ts";
import { isTlsRefused } from "./tls-refused.ts";

/** Error codes of the connection, not of a statement: the server is unavailable, starting, stopping or full. */
const AWAY_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
]);
/** SQLSTATEs of temporary errors: 08 connection, 53 resources, 57P operator, 55P03 lock_timeout, 25006 read-only, 25P03 idle, 40 retries used up. */
const PASSING_STATE = /^(?:08|53|57P|40001|40P01|55P03|25006|25P0[34]|57014)/;
const AWAY_MESSAGE =
  /connection terminated|timeout exceeded when trying to connect|timeout expired|connection error and is not queryable|after calling end on the pool|connection ended/i;

/** SQLSTATEs of a login that is refused, and of a database that does not exist. No statement has them. */
const LOGIN_REFUSED = ["28000", "28P01", "3D000"];

/** Whether a new connection was refused by the server's certificate or by the login: at a start no other try can succeed. */
export function isLoginRefused(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? isTlsRefused(error) : LOGIN_REFUSED.includes(state);
}

/**
 * Whether the database was unavailable, so that another try can succeed: 503 with `Retry-After` (program.md 1). A login that is refused counts too: a
 * running service has connections from before the password or certificate was changed, and its work goes on as soon as it is right.
 */
export function isDatabaseAway(error: unknown): boolean {
  if (isLoginRefused(error)) return true;
  const state = sqlState(error);
  if (state !== undefined) return PASSING_STATE.test(state);
  if (error instanceof AggregateError) return error.errors.some(isDatabaseAway);
  if (!(error instanceof Error)) return false;
  const code = fieldOf(error, "code");
  if (typeof code === "string" && AWAY_CODES.has(code)) return true;
  return (code === "ENOENT" && fieldOf(error, "syscall") === "connect") || AWAY_MESSAGE.test(error.message);
}

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}
