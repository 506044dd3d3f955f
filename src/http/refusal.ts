import { STATUS_CODES } from "node:http";
import { isDatabaseAway } from "../db/database-away.ts";
import { type Fault, Problem, type ProblemCode } from "../problems.ts";

/** The answer to a request that failed. A `Problem` is one. */
export interface Refusal {
  readonly status: number;
  readonly title: string;
  /** Absent for an answer that was stored before answers had codes. */
  readonly code?: ProblemCode | undefined;
  readonly faults: readonly Fault[];
  /** The number of all faults, including those not in `faults`. */
  readonly faultCount: number;
  readonly retryAfterS: number | undefined;
  /** What to do, if there are no faults that say it. */
  readonly advice?: string | undefined;
}

const UNAVAILABLE_RETRY_S = 2;

function fieldOf(error: unknown, name: string): unknown {
  return typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
}

/** Returns the refusal for any thrown value (program.md 1); an unknown one becomes a 500 without details. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Problem) return error;
  if (isDatabaseAway(error)) return new Problem("unavailable", { retryAfterS: UNAVAILABLE_RETRY_S });
  const code = fieldOf(error, "code");
  const statusCode = fieldOf(error, "statusCode");
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") return new Problem("body_too_large");
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return new Problem("unsupported_media_type");
  if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) return plainRefusal(statusCode);
  return new Problem("internal");
}

/** Returns a refusal of the HTTP layer, with the HTTP title of its status. */
export function plainRefusal(status: number): Refusal {
  const code = PLAIN_CODES.get(status) ?? "bad_request";
  const title = STATUS_CODES[status] ?? "Bad Request";
  return { status, title, code, faults: [], faultCount: 0, retryAfterS: undefined };
}

/** The codes of refusals whose title is the HTTP one. */
const PLAIN_CODES: ReadonlyMap<number, ProblemCode> = new Map([
  [400, "bad_request"],
  [408, "request_timeout"],
  [413, "body_too_large"],
  [414, "uri_too_long"],
  [415, "unsupported_media_type"],
  [417, "expectation_failed"],
  [431, "headers_too_large"],
]);

/** The maximum size of a refusal's body: faults that do not fit are counted. */
const REFUSAL_BYTES_MAX = 60_000;

/**
 * Returns the body of a refusal: `{errors: [{status, title, code}]}` of interface.md 7, as strings, with `detail` and `source`; with
 * `x-api-version: 2.0.0` the newer format of program.md 1. It has less than 64 KB: a last entry says how many faults are not listed. `requestId` is
 * written beside `errors` as `request_id` (decision 35).
 */
export function refusalBody(refusal: Refusal, apiVersion: unknown, requestId?: string): string {
  const { status, title, code } = refusal;
  const isNew = apiVersion === "2.0.0";
  const head = isNew ? { title, code } : { status: String(status), title, code };
  const entries = entryTexts(refusal, head).join(",");
  const id = requestId === undefined ? "" : `,"request_id":${JSON.stringify(requestId)}`;
  return isNew
    ? `{"status":${status},"title":${JSON.stringify(title)},"errors":[${entries}]${id}}`
    : `{"errors":[${entries}]${id}}`;
}

function entryTexts({ faults: given, faultCount, advice }: Refusal, head: object): string[] {
  const faults: readonly Fault[] = given.length === 0 && advice !== undefined ? [{ detail: advice }] : given;
  const texts: string[] = [];
  let bytes = 0;
  for (const { detail, pointer, parameter } of faults) {
    const source = pointer !== undefined ? { pointer } : parameter !== undefined ? { parameter } : undefined;
    const text = JSON.stringify({ ...head, detail, source }); // an undefined source is left out
    bytes += Buffer.byteLength(text);
    if (bytes > REFUSAL_BYTES_MAX) break;
    texts.push(text);
  }
  const unshown = faultCount - texts.length;
  if (unshown > 0) texts.push(JSON.stringify({ ...head, detail: `${unshown} more faults are not shown` }));
  return texts.length === 0 ? [JSON.stringify(head)] : texts;
}

/** A prefix with which no JSON text begins. */
const UNRENDERED = "refusal:";

/** Returns a refusal as it is stored under an Idempotency-Key: its content, not the format that the first request got. */
export function storedRefusal(refusal: Refusal): { status: number; headers: Record<string, string>; body: string } {
  const { status, title, code, faults, faultCount, advice } = refusal;
  const body = `${UNRENDERED}${JSON.stringify({ status, title, code, faults, faultCount, advice })}`;
  return { status, headers: refusalHeaders(refusal), body };
}

/** Returns the text to send for a stored body: a refusal in the format that this request uses, anything else unchanged. */
export function renderStored(body: string, apiVersion: unknown, requestId?: string): string {
  if (!body.startsWith(UNRENDERED)) return body;
  const stored: Omit<Refusal, "retryAfterS"> = JSON.parse(body.slice(UNRENDERED.length));
  return refusalBody({ ...stored, retryAfterS: undefined }, apiVersion, requestId);
}

/** Returns the headers of a refusal, except its content type. */
export function refusalHeaders(refusal: Refusal): Record<string, string> {
  const headers: Record<string, string> = {};
  if (refusal.status === 401) headers["www-authenticate"] = 'Basic realm="pointkeeper", charset="UTF-8"';
  if (refusal.retryAfterS !== undefined) headers["retry-after"] = String(Math.max(1, Math.ceil(refusal.retryAfterS)));
  return headers;
}
