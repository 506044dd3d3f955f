import type { Queryable } from "../../db/pool.ts";

/** When the rotation of the API secret key was begun; null: none is under way. */
export async function selectNextKeySince(queryable: Queryable): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ since: Temporal.Instant }>(
    "select created_at as since from api_secret_key where state = 'next'",
  );
  return row?.since ?? null;
}

export interface AddressFailures {
  /** Empty: all others together. */
  readonly address: string;
  readonly failures: bigint;
  readonly lastAt: Temporal.Instant;
}

const SELECT_AUTH_FAILURES = `select address, sum(failures)::bigint as failures, max(last_at) as "lastAt"
from api_auth_failure
where hour > $1
group by address
order by sum(failures) desc, address`;

/** Requests of the last 24 hours, by the hour, whose sender was not known, by address: at most some hundred rows. */
export async function selectAuthFailures(queryable: Queryable, now: Temporal.Instant): Promise<AddressFailures[]> {
  return queryable.query<AddressFailures>(SELECT_AUTH_FAILURES, [now.subtract({ hours: 24 })]);
}
