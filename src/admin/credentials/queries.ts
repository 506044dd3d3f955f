import type { Queryable } from "../../db/pool.ts";
import type { RequestOutcome } from "../../wire/access.ts";
import { allOf, createBinder, type TimePosition } from "../list.ts";

/** Returns when the rotation of the API secret key began; null: none is in progress. */
export async function selectNextKeySince(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ since: Temporal.Instant }>(
    "select created_at as since from api_secret_key where state = 'next'",
  );
  return row?.since ?? null;
}

export interface AddressFailures {
  /** Empty: all other addresses together. */
  readonly address: string;
  readonly failures: bigint;
  readonly lastAt: Temporal.Instant;
}

const SELECT_AUTH_FAILURES = `select address, sum(failures)::bigint as failures, max(last_at) as "lastAt"
from api_auth_failure
where hour > $1
group by address
order by sum(failures) desc, address`;

/** Returns the failed authentications of the last 24 hours, summed by address: at most a few hundred rows. */
export async function selectAuthFailures(queryable: Queryable, now: Temporal.Instant): Promise<AddressFailures[]> {
  return queryable.query<AddressFailures>(SELECT_AUTH_FAILURES, [now.subtract({ hours: 24 })]);
}

/** A line of the request log. */
export interface LoggedRequest {
  readonly uid: string;
  readonly at: Temporal.Instant;
  readonly route: string;
  readonly status: number;
  readonly durationUs: number;
  readonly requestId: string;
}

export interface RequestFilter {
  readonly outcome: RequestOutcome | null;
  readonly requestId: string | null;
  readonly after: TimePosition | null;
}

const OUTCOME_CONDITIONS: Record<RequestOutcome, string> = {
  done: "r.status < 400",
  refused: "r.status >= 400 and r.status < 500",
  failed: "r.status >= 400 and r.status >= 500",
};

/** Returns the credential with a key, revoked or not; undefined: there is none. */
export async function selectCredentialOfKey(
  queryable: Queryable,
  key: string,
): Promise<{ uid: string; name: string } | undefined> {
  const [found] = await queryable.query<{ uid: string; name: string }>(
    "select uid, name from credential where key = $1 order by revoked_at is null desc, created_at desc limit 1",
    [key],
  );
  return found;
}

/** Returns a page of a credential's requests, newest first. */
export async function selectLoggedRequests(
  queryable: Queryable,
  credentialUid: string,
  { outcome, requestId, after }: RequestFilter,
  limit: number,
): Promise<LoggedRequest[]> {
  const { params, bind, bindIf } = createBinder();
  const conditions = [
    `r.credential_uid = ${bind(credentialUid)}`,
    outcome === null ? null : OUTCOME_CONDITIONS[outcome],
    bindIf(requestId, (n) => `r.request_id = ${n}`),
    after === null ? null : `(r.at, r.uid) < (${bind(after.at)}, ${bind(after.id)})`,
  ];
  return queryable.query<LoggedRequest>(
    `select r.uid, r.at, r.route, r.status, r.duration_us as "durationUs", r.request_id as "requestId"
from api_request r
where ${allOf(conditions)}
order by r.at desc, r.uid desc
limit ${bind(limit)}`,
    params,
  );
}

/** Returns how many requests within the retention time were answered but are not in the log. */
export async function countUnlisted(queryable: Queryable, credentialUid: string): Promise<bigint> {
  const [row] = await queryable.query<{ requests: bigint }>(
    "select coalesce(sum(requests), 0)::bigint as requests from api_request_unlisted where credential_uid = $1",
    [credentialUid],
  );
  return row?.requests ?? 0n;
}
