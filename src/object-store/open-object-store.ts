import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import {
  type ObjectPlace,
  type ObjectStoreAccess,
  objectPlaceText,
  objectUrl,
  readFailure,
  readListing,
} from "./object-place.ts";

/** A request to a bucket that failed finally. The message contains the response but no secret. */
export class ObjectStoreError extends Error {
  override readonly name = "ObjectStoreError";
}

/** An object is longer than what is read of it. */
class TooLongError extends ObjectStoreError {}

/** An object of a listing; its name is relative to the place. */
export interface StoredObject {
  readonly name: string;
  readonly bytes: number;
}

/** Objects below one prefix of a bucket of S3 or a compatible store. Every call is retried for a while. Memory: one object. */
export interface ObjectStore {
  /** `s3://bucket/prefix` */
  readonly place: string;
  /** Stores an object under a new name, completely or not at all. @throws ObjectStoreError, also if another object has the name */
  put(name: string, bytes: Buffer): Promise<void>;
  /** Stores an object, replacing one with the same name. */
  replace(name: string, bytes: Buffer): Promise<void>;
  /** Null: the store says that there is none with this name. @throws ObjectStoreError for one that is longer than `bytesMax` */
  get(name: string, bytesMax: number): Promise<Buffer | null>;
  /** Returns every object whose name begins with `start`. */
  list(start: string): Promise<StoredObject[]>;
  /** Returns the names of objects and folders directly in a folder, `folder/` or "". */
  names(folder: string): Promise<string[]>;
  /** Removes objects; a missing one counts as removed. */
  remove(names: readonly string[]): Promise<void>;
}

const TRIES_MAX = 6;
const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 5_000;
/** The time limit of one request with its body: a part of 16 MB at 140 kB a second. */
const REQUEST_MS = 120_000;
/** A request without a body gets the head of its response within this time, or is tried again. */
const HEAD_MS = 20_000;
/** A request is not tried again when this time has passed since its first try: a store that accepts connections and stays silent is away. */
const PATIENCE_MS = 45_000;
const OBJECTS_MAX = 500_000;
const PAGE_BYTES_MAX = 8 * 2 ** 20;
const FAILURE_BYTES_MAX = 2 ** 20;

interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The maximum size of the response. */
  readonly bytesMax?: number;
}

interface Reply {
  readonly status: number;
  readonly bytes: Buffer;
  /** Every object store sends the ETag of an object that it stored; a web page that answers every request does not. */
  readonly hasTag: boolean;
}

type Send = (call: Call) => Promise<Reply>;

const OK = 200;
const BAD_REQUEST = 400;
const NOT_FOUND = 404;
const REQUEST_TIMEOUT = 408;
const CONFLICT = 409;
const PRECONDITION_FAILED = 412;
const TOO_MANY_REQUESTS = 429;
const SERVER_ERROR = 500;
const NOT_IMPLEMENTED = 501;
/** A 404 without it is of the bucket, or of a proxy that did not reach the store: it does not say that an object is missing, or was removed. */
const NO_SUCH_KEY = "NoSuchKey";
/** Amazon answers 400 to a body that comes too slowly, and 409 while another request for the same name, such as an earlier attempt, is in progress. */
const PASSING_CODE = /^(?:RequestTimeout|ConditionalRequestConflict|OperationAborted)(?::|$)/;

/** Opens a place in a bucket. Sends nothing yet. */
export function openObjectStore(place: ObjectPlace, access: ObjectStoreAccess): ObjectStore {
  const send = createSender(place, access);
  const start = place.prefix === "" ? "" : `${place.prefix}/`;
  const shown = objectPlaceText(place);
  const nameOf = (key: string) => key.slice(start.length);
  async function expectOk(call: Call): Promise<Reply> {
    const reply = await send(call);
    if (reply.status >= OK && reply.status < OK + 100) return reply;
    throw refused(`${call.method} ${shown}/${nameOf(call.key)}`, reply);
  }
  async function get(name: string, bytesMax: number): Promise<Buffer | null> {
    const call: Call = { method: "GET", key: start + name, bytesMax };
    const reply = await send(call);
    if (reply.status === OK) return reply.bytes;
    if (isAbsent(reply)) return null;
    throw refused(`GET ${shown}/${name}`, reply);
  }
  async function* pages(prefix: string, delimiter: string | undefined) {
    let next: string | null = null;
    let count = 0;
    do {
      const query: Record<string, string> = {
        "list-type": "2",
        prefix: start + prefix,
        ...(delimiter === undefined ? {} : { delimiter }),
        ...(next === null ? {} : { "continuation-token": next }),
      };
      const { bytes } = await expectOk({ method: "GET", key: "", query, bytesMax: PAGE_BYTES_MAX });
      const page = readListing(bytes.toString("utf8"));
      if (page === null || (page.next !== null && page.next === next)) throw noStore(`GET ${shown}/${prefix}`); // the same page for ever
      yield page;
      count += 1 + page.objects.length + page.folders.length; // a page without any counts, too
      if (count > OBJECTS_MAX) throw new ObjectStoreError(`${shown}/${prefix} holds more than ${OBJECTS_MAX} objects.`);
      next = page.next;
    } while (next !== null);
  }
  return {
    place: shown,
    get,
    put: (name, bytes) => putNew({ send, get }, { name, key: start + name, shown: `${shown}/${name}` }, bytes),
    async replace(name, bytes) {
      const { hasTag } = await expectOk({ method: "PUT", key: start + name, body: bytes });
      if (!hasTag) throw noStore(`PUT ${shown}/${name}`);
    },
    async list(from) {
      const found: StoredObject[] = [];
      for await (const { objects } of pages(from, undefined))
        for (const { key, bytes } of objects) found.push({ name: nameOf(key), bytes });
      return found;
    },
    async names(folder) {
      const found: string[] = [];
      for await (const { objects, folders } of pages(folder, "/"))
        found.push(
          ...[...objects.map(({ key }) => key), ...folders].map((key) =>
            nameOf(key).slice(folder.length).replace(/\/$/, ""),
          ),
        );
      return found.filter((name) => name !== "");
    },
    async remove(names) {
      for (const name of names) {
        const call: Call = { method: "DELETE", key: start + name };
        const reply = await send(call);
        if (reply.status >= OK + 100 && !isAbsent(reply)) throw refused(`DELETE ${shown}/${name}`, reply);
      }
    },
  };
}

/**
 * Stores an object under a new name. A store that supports conditional requests refuses a second object. An existing identical object is our own,
 * from an attempt whose response was lost. Where it cannot be read what is there, nothing is known of it.
 */
async function putNew(
  { send, get }: { readonly send: Send; readonly get: ObjectStore["get"] },
  { name, key, shown }: { readonly name: string; readonly key: string; readonly shown: string },
  bytes: Buffer,
): Promise<void> {
  const call: Call = { method: "PUT", key, body: bytes };
  let reply = await send({ ...call, headers: { "if-none-match": "*" } });
  if (reply.status === NOT_IMPLEMENTED) {
    if ((await compare(get(name, bytes.length), bytes)) !== "none")
      throw new ObjectStoreError(`${shown} is there already.`);
    reply = await send(call);
  }
  if (reply.status === PRECONDITION_FAILED || reply.status === CONFLICT) {
    const found = await compare(get(name, bytes.length), bytes);
    if (found === "same") return;
    if (found === "other") throw new ObjectStoreError(`${shown} is there already, and is another one.`);
  }
  if (reply.status !== OK) throw refused(`PUT ${shown}`, reply);
  if (!reply.hasTag) throw noStore(`PUT ${shown}`);
}

/** Compares the object of a name, read for as many bytes as `bytes` has, with `bytes`. */
async function compare(reading: Promise<Buffer | null>, bytes: Buffer): Promise<"none" | "same" | "other"> {
  try {
    const found = await reading;
    if (found === null) return "none";
    return found.equals(bytes) ? "same" : "other";
  } catch (error) {
    if (error instanceof TooLongError) return "other";
    throw error;
  }
}

/** The error for a success that no object store sends: nothing was stored, or nothing is known of what is there. */
function noStore(what: string): ObjectStoreError {
  return new ObjectStoreError(
    `${what} was answered by something that is no object store: check AWS_ENDPOINT_URL, and any proxy before the store`,
  );
}

function refused(what: string, { status, bytes }: Reply): ObjectStoreError {
  const said = readFailure(bytes.toString("utf8"));
  return new ObjectStoreError(`${what} was answered ${status}${said === "" ? "" : `, ${said}`}`);
}

/** Sends signed requests, with retries while the object store is unreachable, busy or failing. */
function createSender(place: ObjectPlace, access: ObjectStoreAccess): Send {
  const { accessKeyId, secretAccessKey, sessionToken, region, signal: stop } = access;
  const client = new AwsClient({
    ...{ accessKeyId, secretAccessKey, region, service: "s3", retries: 0 },
    ...(sessionToken === null ? {} : { sessionToken }),
  });
  async function attempt(call: Call): Promise<Reply> {
    const { method, key, query = {}, headers = {}, body, bytesMax = PAGE_BYTES_MAX } = call;
    const url = objectUrl(place, access, key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const hash = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const signed = await client.sign(url, {
      ...{ method, headers: { ...headers, "x-amz-content-sha256": hash }, redirect: "manual" },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    const response = await fetchWithin(signed, body === undefined ? HEAD_MS : REQUEST_MS, stop);
    // the text of a failure may be longer than a small object
    const limit = response.ok ? bytesMax : FAILURE_BYTES_MAX;
    return { status: response.status, bytes: await readBody(response, limit), hasTag: response.headers.has("etag") };
  }
  return async (call) => {
    const giveUpAt = performance.now() + PATIENCE_MS;
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(call).catch((error: unknown) => error);
      if (isReply(outcome) && !isPassing(outcome)) return outcome;
      if (outcome instanceof ObjectStoreError) throw outcome;
      if (tries === TRIES_MAX || performance.now() > giveUpAt || stop?.aborted === true) {
        if (isReply(outcome)) return outcome;
        throw new ObjectStoreError(
          `${place.bucketName} cannot be reached at ${objectUrl(place, access, "").host}: ${reasonOf(outcome)}`,
          { cause: outcome },
        );
      }
      const pauseMs = Math.random() * Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** tries);
      await delay(pauseMs, undefined, stop === undefined ? {} : { signal: stop }).catch(() => {}); // the next attempt fails at once
    }
  };
}

/** Fetches with a time limit for the head of the response, and one for all of it. */
async function fetchWithin(request: Request, headMs: number, stop: AbortSignal | undefined): Promise<Response> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error(`no answer within ${headMs / 1_000} s`)), headMs);
  const ends = [silent.signal, AbortSignal.timeout(REQUEST_MS), ...(stop === undefined ? [] : [stop])];
  try {
    return await fetch(request, { signal: AbortSignal.any(ends) });
  } finally {
    clearTimeout(timer);
  }
}

function isReply(outcome: unknown): outcome is Reply {
  return typeof outcome === "object" && outcome !== null && "status" in outcome && "bytes" in outcome;
}

function isAbsent({ status, bytes }: Reply): boolean {
  return status === NOT_FOUND && readFailure(bytes.toString("utf8")).startsWith(NO_SUCH_KEY);
}

function isPassing({ status, bytes }: Reply): boolean {
  if (status >= SERVER_ERROR) return status !== NOT_IMPLEMENTED;
  if (status === TOO_MANY_REQUESTS || status === REQUEST_TIMEOUT) return true;
  const isPassingCode = status === BAD_REQUEST || status === CONFLICT;
  return isPassingCode && PASSING_CODE.test(readFailure(bytes.toString("utf8")));
}

/** The error of fetch is "fetch failed"; its cause has the reason. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || String(error.cause) : error.message;
}

async function readBody(response: Response, bytesMax: number): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.length;
    if (size > bytesMax) {
      throw new TooLongError(`${new URL(response.url).pathname} is longer than ${bytesMax} bytes.`);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces, size);
}
