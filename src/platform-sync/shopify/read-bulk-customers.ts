import { setTimeout as delay } from "node:timers/promises";
import { request } from "undici";
import type { Json, JsonObject } from "../../platforms/json-source.ts";
import {
  type BulkPosition,
  type BulkState,
  bulkPosition,
  bulkPositionOf,
  bulkStateOf,
  customerOfLine,
  readBulk,
  readStarted,
  runCustomers,
} from "../../platforms/shopify/admin/bulk-customers.ts";
import type { AdminRequest } from "../../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { platformAway } from "../connect-error.ts";
import type { ChangedPage, HistoryStart, PortDeps } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

type BulkDeps = Pick<PortDeps, "log">;

const POLL_FIRST_MS = 250;
const POLL_MAX_MS = 10_000;
const BATCH_LINES = 250;
/** Starts of an operation, where one ended without a result or its result is gone (after 7 days). */
const STARTS_MAX = 3;
/** Statuses of a result that can no longer be had. */
const GONE = [403, 404, 410];
/** Google's storage returns 400 with this code once the signature of a URL is too old; a proxy may return 400 for other reasons. */
const EXPIRED = "<Code>ExpiredToken</Code>";
const REFUSAL_BYTES_MAX = 4_096;
/** A customer has a few hundred bytes. */
const LINE_LENGTH_MAX = 1_048_576;

/**
 * Reads all customers by a bulk operation: Shopify makes a file of them, which is read as it comes, in constant memory. The operation and the
 * lines that were taken are the position, so that a run that was killed waits for the same operation and passes over these lines.
 * Throws where Shopify fails or the connection breaks: the next call continues.
 */
export async function* readBulkCustomers(
  deps: BulkDeps,
  admin: ShopifyAdmin,
  { since, position, signal }: HistoryStart & { readonly signal: AbortSignal },
): AsyncGenerator<ChangedPage> {
  let place = bulkPositionOf(position);
  let reason = "";
  for (let starts = 0; ; ) {
    if (place === null) {
      if (starts >= STARTS_MAX) throw new Error(`the platform's bulk operation gave no result: ${reason}`);
      starts += 1;
      place = { operation: await start(deps, admin, since), lines: 0 };
      yield { resources: [], changedAt: null, position: bulkPosition(place) };
    }
    const state = await waitFor(deps, admin, place.operation, signal);
    if (state.kind === "done") {
      const end = { changedAt: Temporal.Instant.from(state.createdAt), position: null };
      if (state.url === null) return yield { resources: [], ...end };
      const goneStatus = yield* readResult(state.url, place, { end, signal });
      if (goneStatus === null) return;
      reason = `its result answered ${goneStatus}`;
    } else reason = state.detail;
    // without the result's URL: whoever has it can read all customers
    deps.log.warn({ operation: place.operation, reason }, "the platform's bulk operation is started again");
    place = null;
  }
}

async function start(deps: BulkDeps, admin: ShopifyAdmin, since: Temporal.Instant): Promise<string> {
  const started = readStarted(await runAdminRequest(deps, admin, runCustomers(since)));
  if ("refusal" in started) throw new Error(`the platform started no bulk operation: ${started.refusal}`);
  return started.id;
}

async function waitFor(
  deps: BulkDeps,
  admin: ShopifyAdmin,
  operation: string,
  signal: AbortSignal,
): Promise<Exclude<BulkState, { kind: "running" }>> {
  for (let pauseMs = POLL_FIRST_MS; ; pauseMs = Math.min(POLL_MAX_MS, 2 * pauseMs)) {
    const state = bulkStateOf(await runAdminRequest(deps, admin, readBulk(operation)));
    if (state.kind !== "running") return state;
    await delay(pauseMs, undefined, { signal });
  }
}

async function runAdminRequest(deps: BulkDeps, admin: ShopifyAdmin, adminRequest: AdminRequest): Promise<JsonObject> {
  const result = await callAdmin(deps, admin, adminRequest);
  if (result.kind === "data") return result.data;
  throw new Error(`the platform's bulk operation: ${result.kind === "throttled" ? "throttled" : result.detail}`);
}

/** Reads a result from a place on, in batches; the last one has what comes at the end. Returns null, or the status of a result that is gone. */
async function* readResult(
  url: string,
  place: BulkPosition,
  { end, signal }: { readonly end: Pick<ChangedPage, "changedAt" | "position">; readonly signal: AbortSignal },
): AsyncGenerator<ChangedPage, number | null> {
  // a signed address of another host: it gets no token
  const answer = await request(url, { signal }).catch((error: unknown) => {
    throw platformAway(error, signal);
  });
  if (answer.statusCode !== 200) {
    const text = await startOf(answer.body, signal);
    if (GONE.includes(answer.statusCode) || text.includes(EXPIRED)) return answer.statusCode;
    throw new Error(`the result of the bulk operation answered ${answer.statusCode}`);
  }
  let lines = 0;
  let batch: Json[] = [];
  for await (const line of linesOf(piecesOf(answer.body, signal))) {
    lines += 1;
    if (lines <= place.lines || line === "") continue;
    const customer = customerOfLine(line);
    if (typeof customer === "string") throw new Error(`line ${lines} of the bulk operation: ${customer}`);
    batch.push(customer);
    if (batch.length < BATCH_LINES) continue;
    yield { resources: batch, changedAt: null, position: bulkPosition({ ...place, lines }) };
    batch = [];
  }
  yield { resources: batch, ...end };
  return null;
}

/** Returns the first bytes of a body, and closes the connection of a longer one. */
async function startOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): Promise<string> {
  let bytes = Buffer.alloc(0);
  for await (const piece of piecesOf(body, signal)) {
    bytes = Buffer.concat([bytes, piece]);
    if (bytes.length >= REFUSAL_BYTES_MAX) break;
  }
  return bytes.toString("utf8");
}

/** Reads a body, which may have gigabytes: a connection that breaks meanwhile is the platform's, too. */
async function* piecesOf(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (error) {
    throw platformAway(error, signal);
  }
}

async function* linesOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const piece of body) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LINE_LENGTH_MAX) throw new Error("a line of the bulk operation is too long");
    yield* lines;
  }
  if (rest !== "") yield rest;
}
