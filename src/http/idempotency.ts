import { createHash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Queryable } from "../db/pool.ts";
import { Problem } from "../problems.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** Whether a handler answers for the request's Idempotency-Key, so that the error handler need not. */
    isClaimTaken: boolean;
  }
}

/** What an `Idempotency-Key` stands for (program.md 2). */
export interface IdempotencyClaim {
  readonly credentialUid: string;
  /** Method and path. */
  readonly scope: string;
  /** 1 to 255 characters. */
  readonly key: string;
  /** SHA-256 of method, path, query and raw body. */
  readonly fingerprint: Buffer;
}

/** An answer as it is stored: the body is JSON text that is sent as it is, a refusal (`storedRefusal`), or sealed (`sealAnswer`). */
export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: string;
}

export interface AnsweredClaim {
  readonly claim: IdempotencyClaim;
  readonly answer: StoredAnswer;
}

/** Stored answers count for 24 hours. */
export const IDEMPOTENCY_HOURS = 24;

/** The refusals that are stored and sent again; never 401, 403, 429 or 5xx (program.md 2). */
const STORED_REFUSALS = new Set([400, 404, 409, 422]);

/** Whether an answer of this status is stored under its key. */
export function isStored(status: number): boolean {
  return (status >= 200 && status < 300) || STORED_REFUSALS.has(status);
}

/** The claim of a POST with an `Idempotency-Key`; null without the header. 422 where the key is not 1 to 255 characters. */
export function claimFrom(request: FastifyRequest): IdempotencyClaim | null {
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
  const hash = createHash("sha256").update(`${request.method} ${request.url}\n`);
  if (request.rawBody !== undefined) hash.update(request.rawBody);
  return { credentialUid: request.credential.uid, scope: `${request.method} ${path}`, key, fingerprint: hash.digest() };
}

/** One text for one claim: the parameter of `LOCK_KEYS`, and the key of a map. */
export function lockText(claim: IdempotencyClaim): string {
  return `${claim.credentialUid}|${claim.scope}|${claim.key}`;
}

/**
 * Locks the keys of `$1::text[]` (see `lockText`) until the end of the transaction, always in the same order. A statement of
 * its own: only a later one sees what the transaction that held the lock has stored.
 */
export const LOCK_KEYS = `select pg_advisory_xact_lock(k.hash)
     from (select distinct hashtextextended(text, 0) as hash from unnest($1::text[]) text order by 1) k`;

interface StoredRow {
  n: bigint;
  fingerprint: Buffer;
  status: number;
  headers: Record<string, string> | null;
  body: string;
}

/** What has been stored for each claim, in their order; undefined where nothing was, or more than 24 hours before `now`. */
export async function readStored(
  queryable: Queryable,
  claims: readonly IdempotencyClaim[],
  now: Temporal.Instant,
): Promise<(Stored | undefined)[]> {
  const rows = await queryable.query<StoredRow>(
    `select c.n, i.fingerprint, i.status, i.headers, i.body
     from unnest($1::uuid[], $2::text[], $3::text[]) with ordinality as c (credential_uid, scope, key, n)
     join idempotency i using (credential_uid, scope, key)
     where i.created_at > $4`,
    [claims.map((c) => c.credentialUid), claims.map((c) => c.scope), claims.map((c) => c.key), expiredAt(now)],
  );
  const stored: (Stored | undefined)[] = claims.map(() => undefined);
  for (const { n, fingerprint, ...answer } of rows) stored[Number(n) - 1] = { fingerprint, answer };
  return stored;
}

export interface Stored {
  readonly fingerprint: Buffer;
  readonly answer: StoredAnswer;
}

/** What a stored answer means for a claim: the answer to send again, or the refusal of another request under the same key. */
export function replayOf(claim: IdempotencyClaim, stored: Stored): StoredAnswer | "idempotency_mismatch" {
  if (!stored.fingerprint.equals(claim.fingerprint)) return "idempotency_mismatch";
  return { ...stored.answer, headers: { ...stored.answer.headers, "idempotent-replayed": "true" } };
}

/** A refusal of more characters is sent and not stored: it changed nothing, so the request may as well be re-evaluated. */
const STORED_REFUSAL_MAX = 8_192;

function isKept({ answer: { status, body } }: AnsweredClaim): boolean {
  return status < 300 || body.length <= STORED_REFUSAL_MAX;
}

/**
 * Stores answers in the transaction of their effect, but for large refusals; rows of a claim that no longer count are replaced.
 * Returns how many were written.
 */
export async function storeAnswers(
  queryable: Queryable,
  answered: readonly AnsweredClaim[],
  now: Temporal.Instant,
): Promise<number> {
  const rows = answered.filter(isKept);
  if (rows.length === 0) return 0;
  return queryable.execute(
    `insert into idempotency as i (credential_uid, scope, key, fingerprint, status, headers, body, created_at)
     select credential_uid, scope, key, fingerprint, status, headers::jsonb, body, $8
     from unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::smallint[], $6::text[], $7::text[])
       as r (credential_uid, scope, key, fingerprint, status, headers, body)
     on conflict (credential_uid, scope, key) do update
     set fingerprint = excluded.fingerprint, status = excluded.status, headers = excluded.headers, body = excluded.body,
       created_at = excluded.created_at
     where i.created_at <= $9`,
    [
      rows.map(({ claim }) => claim.credentialUid),
      rows.map(({ claim }) => claim.scope),
      rows.map(({ claim }) => claim.key),
      rows.map(({ claim }) => claim.fingerprint),
      rows.map(({ answer }) => answer.status),
      rows.map(({ answer }) => (answer.headers === null ? null : JSON.stringify(answer.headers))),
      rows.map(({ answer }) => answer.body),
      now,
      expiredAt(now),
    ],
  );
}

function expiredAt(now: Temporal.Instant): Temporal.Instant {
  return now.subtract({ hours: IDEMPOTENCY_HOURS });
}
