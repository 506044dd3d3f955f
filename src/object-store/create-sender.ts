import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { AwsClient } from "aws4fetch";
import { requestFailure } from "../request-failure.ts";
import { type ObjectPlace, type ObjectStoreAccess, objectUrl } from "./object-place.ts";
import { isPassing, type Reply } from "./object-reply.ts";
import { ObjectStoreError } from "./object-store-error.ts";
import { BODY_PACE, type BodyPace, BrokenBodyError, readBody } from "./read-body.ts";

const TRIES_MAX = 6;
const FIRST_PAUSE_MS = 200;
const PAUSE_MS_MAX = 5_000;
/** A request with a body gets the head of its response within this time: a part of 16 MB at 140 kB a second. */
const SENT_MS = 120_000;
/** One without a body gets it within this time, or is tried again. */
const HEAD_MS = 20_000;
/**
 * A request is not tried again when this time has passed since its first try, or since an answer broke off: a store that accepts connections and stays
 * silent is away.
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
    const signed = await client.sign(url, {
      ...{ method, headers: { ...headers, "x-amz-content-sha256": hash }, redirect: "manual" },
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    });
    const response = await fetchWithin(signed, body === undefined ? HEAD_MS : SENT_MS, stop);
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

/** Whether an answer broke off after some of it had arrived. */
function hasBegun(outcome: unknown): boolean {
  return outcome instanceof BrokenBodyError && outcome.bytes > 0;
}

function unreached(host: string, { bucketName }: ObjectPlace, cause: unknown): ObjectStoreError {
  return new ObjectStoreError(`${bucketName} cannot be reached at ${host}: ${requestFailure(cause)}`, { cause });
}

/** Fetches with a time limit for the head of the response. */
async function fetchWithin(request: Request, headMs: number, stop: AbortSignal | undefined): Promise<Response> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(new Error(`no answer within ${headMs / 1_000} s`)), headMs);
  const ends = [silent.signal, ...(stop === undefined ? [] : [stop])];
  try {
    return await fetch(request, { signal: AbortSignal.any(ends) });
  } finally {
    clearTimeout(timer);
  }
}

function isReply(outcome: unknown): outcome is Reply {
  return typeof outcome === "object" && outcome !== null && "status" in outcome && "bytes" in outcome;
}
