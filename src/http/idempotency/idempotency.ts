import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { systemClock } from "../../clock.ts";
import type { Param } from "../../db/encode-param.ts";
import type { Queryable, Tx } from "../../db/pool.ts";
import { unnested } from "../../db/unnested.ts";
import type { Clock } from "../../deps.ts";
import { Problem } from "../../problems.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether a handler is responsible for the request's Idempotency-Key, so that the error handler is not. */
    isClaimTaken: boolean;
  }
}

/** The request that an `Idempotency-Key` identifies (program.md 2). */
export interface IdempotencyClaim {
  readonly credentialUid: string;
  /** Method and path; for a long path its SHA-256. */
  readonly scope: string;
  /** 1 to 255 characters. */
  readonly key: string;
  /** SHA-256 of method, path, query and raw body. */
  readonly fingerprint: Buffer;
}

/** An answer as it is stored. The body is JSON text that is sent unchanged, a refusal (`storedRefusal`), or sealed (`sealAnswer`). */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string;
}

export interface AnsweredClaim {
  readonly claim: IdempotencyClaim;
  readonly answer: StoredAnswer;
}

declare const keyTimeBrand: unique symbol;

/** The present time if a test or the sandbox moves the clock; null: the database's time. Only `keyTime` creates it. */
export type KeyTime = (Temporal.Instant & { readonly [keyTimeBrand]: true }) | null;

/**
 * Returns the time by which the 24 hours of a key are counted: the database's, which all nodes share. A node whose own clock is a day ahead
 * would treat every key as expired, and pay a repeated request twice.
 */
export function keyTime(clock: Clock): KeyTime {
  return clock === systemClock ? null : (clock.now() as KeyTime); // cast: it is made here alone
}

/** SQL: answers stored at this time or earlier no longer count. `now` is a parameter of type `KeyTime`. */
export function expiredAt(now: string): string {
  return `coalesce(${now}::timestamptz, now()) - interval '24 hours'`;
}

/** The refusals that are stored and sent again; never 401, 403, 429 or 5xx (program.md 2). */
const STORED_REFUSALS = new Set([400, 404, 409, 422]);

/** Whether an answer with this status is stored under its key. */
export function isStored(status: number): boolean {
  return (status >= 200 && status < 300) || STORED_REFUSALS.has(status);
}

/** The parts of a request that its claim needs. */
export type ClaimedRequest = Pick<
  FastifyRequest,
  "method" | "url" | "headers" | "credential" | "rawBody" | "isClaimTaken"
>;

/** Returns the claim of a POST with an `Idempotency-Key`; null without the header. Throws 422 if the key is not 1 to 255 characters. */
export function claimFrom(request: ClaimedRequest): IdempotencyClaim | null {
  request.isClaimTaken = true;
  const header = request.headers["idempotency-key"];
  if (header === undefined || request.method !== "POST") return null;
  const key = typeof header === "string" ? header : header.join(", ");
  if (key.length < 1 || key.length > 255) {
    throw new Problem("invalid", {
      faults: [{ parameter: "Idempotency-Key", detail: "expected 1 to 255 characters" }],
    });
  }
  const queryAt = request.url.indexOf("?");
  const path = queryAt === -1 ? request.url : request.url.slice(0, queryAt);
  const line = Buffer.from(`${request.method} ${request.url}\n`);
  const bytes = request.rawBody === undefined ? line : Buffer.concat([line, request.rawBody]);
  const fingerprint = hash("sha256", bytes, "buffer"); // in one call, which takes a third of the time of an object
  return { credentialUid: request.credential.uid, scope: scopeOf(`${request.method} ${path}`), key, fingerprint };
}

/** An entry of the table's index has at most 2,704 bytes, and an id of 1,000 characters may take 9,000 and more in a path. */
const SCOPE_MAX = 1_000;

function scopeOf(line: string): string {
  return line.length <= SCOPE_MAX ? line : `sha256 ${hash("sha256", line)}`;
}

/** Returns the unique text of a claim: the parameter of `LOCK_KEYS`, and a key for maps. */
export function lockText(claim: IdempotencyClaim): string {
  return `${claim.credentialUid}|${claim.scope}|${claim.key}`;
}

/**
 * Locks the keys of `$1::text[]` (see `lockText`) until the end of the transaction, always in the same order. A separate statement: only a later one
 * sees what the previous holder of the lock has stored.
 */
export const LOCK_KEYS = `select pg_advisory_xact_lock(k.hash)
     from (select distinct hashtextextended(text, 0) as hash from unnest($1::text[]) text order by 1) k`;

interface StoredRow {
  n: bigint;
  isCurrent: boolean;
  fingerprint: Buffer;
  status: number;
  headers: Record<string, string> | null;
  body: string;
}

const READ = `select c.n, i.created_at > ${expiredAt("$4")} as "isCurrent", i.fingerprint, i.status, i.headers, i.body
from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as c (credential_uid, scope, key, n)
join idempotency i using (credential_uid, scope, key)`;

/** Returns the stored answer of each claim, in their order; undefined if there is none, or it is more than 24 hours old. */
export async function readStored(
  queryable: Queryable,
  claims: readonly IdempotencyClaim[],
  now: KeyTime,
): Promise<(Stored | undefined)[]> {
  return (await readRows(queryable, claims, now)).stored;
}

const DELETE_EXPIRED = `delete from idempotency i
using unnest($1::uuid[], $2::text[], $3::text[]) as c (credential_uid, scope, key)
where i.credential_uid = c.credential_uid and i.scope = c.scope and i.key = c.key and i.created_at <= ${expiredAt("$4")}`;

/** The same under the locks of the claims. Also removes expired rows, so that `insertAnswers` finds none. */
export async function readAndPrune(
  tx: Tx,
  claims: readonly IdempotencyClaim[],
  now: KeyTime,
): Promise<(Stored | undefined)[]> {
  const { stored, outdated } = await readRows(tx, claims, now);
  if (outdated > 0) await tx.execute(DELETE_EXPIRED, [...keysOf(claims), now]);
  return stored;
}

async function readRows(
  queryable: Queryable,
  claims: readonly IdempotencyClaim[],
  now: KeyTime,
): Promise<{ stored: (Stored | undefined)[]; outdated: number }> {
  const rows = await queryable.query<StoredRow>(READ, [...keysOf(claims), now]);
  const stored: (Stored | undefined)[] = claims.map(() => undefined);
  let outdated = 0;
  for (const { n, isCurrent, fingerprint, ...answer } of rows) {
    if (isCurrent) stored[Number(n) - 1] = { fingerprint, answer };
    else outdated++;
  }
  return { stored, outdated };
}

function keysOf(claims: readonly IdempotencyClaim[]): [string[], string[], string[]] {
  return [claims.map((c) => c.credentialUid), claims.map((c) => c.scope), claims.map((c) => c.key)];
}

export interface Stored {
  readonly fingerprint: Buffer;
  readonly answer: StoredAnswer;
}

/** Returns what a stored answer means for a claim: the answer to send again, or the refusal for another request with the same key. */
export function replayOf(claim: IdempotencyClaim, stored: Stored): StoredAnswer | "idempotency_mismatch" {
  if (!stored.fingerprint.equals(claim.fingerprint)) return "idempotency_mismatch";
  return { ...stored.answer, headers: { ...stored.answer.headers, "idempotent-replayed": "true" } };
}

/** A refusal with more characters is sent and not stored: it changed nothing, so the request may be evaluated again. */
const STORED_REFUSAL_MAX = 8_192;

function isKept({ answer: { status, body } }: AnsweredClaim): boolean {
  return status < 300 || body.length <= STORED_REFUSAL_MAX;
}

const COLUMNS = "credential_uid, scope, key, fingerprint, status, headers, body, created_at";

const ROWS = unnested([
  "credential_uid uuid",
  "scope text",
  "key text",
  "fingerprint bytea",
  "status smallint",
  "headers text",
  "body text",
]);

const INSERT = `insert into idempotency as i (${COLUMNS})
select credential_uid, scope, key, fingerprint, status, headers::jsonb, body, coalesce($8::timestamptz, now())
from (${ROWS}) r`;

const INSERT_OR_REPLACE = `${INSERT}
on conflict (credential_uid, scope, key) do update
set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
  created_at = excluded.created_at
where i.created_at <= ${expiredAt("$8")}`;

/**
 * Stores answers in the transaction of their effect, except large refusals. Expired rows of a claim are replaced; a row that still counts stays.
 * Returns how many were written.
 */
export async function storeAnswers(
  queryable: Queryable,
  answered: readonly AnsweredClaim[],
  now: KeyTime,
): Promise<number> {
  const rows = answered.filter(isKept);
  return rows.length === 0 ? 0 : queryable.execute(INSERT_OR_REPLACE, [...valuesOf(rows), now]);
}

/**
 * The same after `readAndPrune`, for claims without a stored answer. It does not check for conflicts, which would take a second record of the
 * database's log per row. It fails with a unique violation, and its transaction with it, if a row of a claim was inserted meanwhile: a refusal
 * before the handler took the key is stored without the lock. When the work is run again it finds that row.
 */
export async function insertAnswers(tx: Tx, answered: readonly AnsweredClaim[], now: KeyTime): Promise<number> {
  const rows = answered.filter(isKept);
  return rows.length === 0 ? 0 : tx.execute(INSERT, [...valuesOf(rows), now]);
}

/** Returns the columns of `ROWS`. */
function valuesOf(rows: readonly AnsweredClaim[]): Param[] {
  const claims = rows.map(({ claim }) => claim);
  const headers = rows.map(({ answer }) => (answer.headers === null ? null : JSON.stringify(answer.headers)));
  return [
    ...keysOf(claims),
    claims.map(({ fingerprint }) => fingerprint),
    rows.map(({ answer }) => answer.status),
    headers.every((text) => text === null) ? null : headers,
    rows.map(({ answer }) => answer.body),
  ];
}
