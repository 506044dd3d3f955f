import type { Queryable } from "../db/pool.ts";

/** Takes back the last counted attempt of a key: it was no failure. Its lock ends with it. */
export async function forgiveAttempt(queryable: Queryable, key: string): Promise<void> {
  await queryable.execute(
    `update sign_in_failure
     set failures = greatest(failures - 1, 0), locked_until = '-infinity'
     where key = $1`,
    [key],
  );
}
