import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { requestFailure } from "../request-failure.ts";
import { type ObjectPlace, type ObjectStoreAccess, objectUrl } from "./object-place.ts";
import { isPassing, type Reply } from "./object-reply.ts";
import { ObjectStoreError } from "./object-store-error.ts";
import { BODY_PACE, type BodyPace, BrokenBodyError, readBody } from "./read-body.ts";
import { watchBody } from "./watch-body.ts";

const TRIES_MAX = 6;
const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 5_000;
/** A request without a body gets the head of its response within this time, or is tried again. */
const HEAD_MS = 20_000;
/**
 * A request is not tried again when this time has passed since its first try, or since a body broke off, its own or that of an answer: a store that
 * accepts connections and stays silent is away.
 */
const PATIENCE_MS = 45_000;
/** The most bytes of an answer that names no other limit, such as a page of a listing. */
export const PAGE_BYTES_MAX = 8 * 2 ** 20;
const FAILURE_BYTES_MAX = 2 ** 20;

/** A request for an object, or with an empty key for the bucket. */
export interface Call {
  readonly method: "GET" | "PUT" | "DELETE";
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** The maximum size of the response. */
  readonly bytesMax?: number;
}

/** Sends a request, again where it can succeed later, and returns the last answer. */
export type Send = (call: Call) => Promise<Reply>;

/** Sends signed requests, with retries while the object store is unreachable, busy or failing. */
export function createSender(place: ObjectPlace, access: ObjectStoreAccess, pace: BodyPace = BODY_PACE): Send {
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
    const length = body === undefined ? {} : { "content-length": String(body.length) };
    const sent = { ...headers, ...length, "x-amz-content-sha256": hash };
    const signed = await client.sign(url, { method, headers: sent, redirect: "manual" });
    const response = await (body === undefined ? fetchWithin(signed, stop) : sendBody(signed, { body, pace, stop }));
    // the text of a failure may be longer than a small object
    const limits = { bytesMax: response.ok ? bytesMax : FAILURE_BYTES_MAX, pace, stop };
    return { status: response.status, bytes: await readBody(response, limits), hasTag: response.headers.has("etag") };
  }
  const pause = (tries: number) => {
    const ms = Math.random() * Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** tries);
    return delay(ms, undefined, stop === undefined ? {} : { signal: stop }).catch(() => {}); // the next attempt fails at once
  };
  return async (call) => {
    let giveUpAt = performance.now() + PATIENCE_MS;
    for (let tries = 1; ; tries++) {
      const outcome = await attempt(call).catch((error: unknown) => error);
      if (isReply(outcome) && !isPassing(outcome)) return outcome;
      if (outcome instanceof ObjectStoreError) throw outcome;
      if (hasBegun(outcome)) giveUpAt = performance.now() + PATIENCE_MS;
      if (tries < TRIES_MAX && performance.now() <= giveUpAt && stop?.aborted !== true) await pause(tries);
      else if (isReply(outcome)) return outcome;
      else throw unreached(objectUrl(place, access, "").host, place, outcome);
    }
  };
}

/** Whether a body broke off of which something had arrived. */
function hasBegun(outcome: unknown): boolean {
  return outcome instanceof BrokenBodyError && outcome.bytes > 0;
}

function unreached(host: string, { bucketName }: ObjectPlace, cause: unknown): ObjectStoreError {
  return new ObjectStoreError(`${bucketName} cannot be reached at ${host}: ${requestFailure(cause)}`, { cause });
}

/** Fetches with a time limit for the head of the response. */
async function fetchWithin(request: Request, stop: AbortSignal | undefined): Promise<Response> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error(`no answer within ${HEAD_MS / 1_000} s`)), HEAD_MS);
  const ends = [silent.signal, ...(stop === undefined ? [] : [stop])];
  try {
    return await fetch(request, { signal: AbortSignal.any(ends) });
  } finally {
    clearTimeout(timer);
  }
}

/** Fetches with a body, for as long as it makes progress. @throws BrokenBodyError where the connection is lost while it is sent */
async function sendBody(
  request: Request,
  { body, pace, stop }: { readonly body: Buffer; readonly pace: BodyPace; readonly stop: AbortSignal | undefined },
): Promise<Response> {
  const watched = watchBody(body, pace);
  const ends = [watched.signal, ...(stop === undefined ? [] : [stop])];
  // a body of a known length is sent as it is, not in chunks, which object stores refuse
  const options: RequestInit = { body: watched.stream, duplex: "half", signal: AbortSignal.any(ends) };
  try {
    return await fetch(request, options);
  } catch (error) {
    if (watched.signal.aborted) throw error;
    throw new BrokenBodyError("a request", watched.taken(), requestFailure(error));
  } finally {
    watched.end();
  }
}

function isReply(outcome: unknown): outcome is Reply {
  return typeof outcome === "object" && outcome !== null && "status" in outcome && "bytes" in outcome;
}
