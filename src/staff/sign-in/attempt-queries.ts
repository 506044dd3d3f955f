import type { Queryable, Tx } from "../../db/pool.ts";
import { readLatestNow } from "../../db/read-latest-now.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { isAhead } from "../../time/is-ahead.ts";
import { FORGOTTEN_HOURS, type LockoutRule, lockS, PERSON_RULE } from "./lockout.ts";

/** The key under which failures are counted: `email/<sha-256>`, `address/<address>`, `account/<uid>`, `code/<uid>`. */
export interface AttemptKey {
  readonly key: string;
  readonly rule: LockoutRule;
}

interface FailureRow {
  failures: number;
  failedAt: Temporal.Instant;
  lockedUntil: Temporal.Instant | null;
}

/**
 * Counts an attempt as failed before it is made, so that a thousand attempts at once count as a thousand; `uncountAttempt` undoes this.
 * Returns whether this attempt caused a lockout, so that the next ones are refused for a while. Throws 429 with the seconds to wait where
 * the key is locked already; nothing is counted then.
 */
export async function countAttempt(
  deps: Pick<Deps, "db" | "clock">,
  keys: readonly AttemptKey[],
): Promise<{ hasLocked: boolean }> {
  const now = deps.clock.now();
  return deps.db.tx(async (tx) => {
    let hasLocked = false;
    for (const { key, rule } of keys.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
      // one statement: it locks the row that is there, and makes it where a right attempt took it away this moment
      const [row] = await tx.query<FailureRow>(
        `insert into sign_in_failure (key, failures, failed_at)
         values ($1, 0, $2)
         on conflict (key) do update
         set key = excluded.key
         returning failures, failed_at as "failedAt", nullif(locked_until, '-infinity') as "lockedUntil"`,
        [key, now],
      );
      if (row === undefined) throw new Error("an upsert answered no row");
      const isOfWrongClock = await isAheadOfAll(tx, row.failedAt, now);
      const { lockedUntil } = row;
      if (!isOfWrongClock && lockedUntil !== null && Temporal.Instant.compare(now, lockedUntil) < 0) {
        throw new Problem("too_many_requests", { retryAfterS: now.until(lockedUntil).total("seconds") });
      }
      const isForgotten = isOfWrongClock || now.since(row.failedAt).total("hours") >= FORGOTTEN_HOURS;
      const failures = (isForgotten ? 0 : row.failures) + 1;
      const lockedS = lockS(rule, failures);
      hasLocked ||= lockedS > 0;
      await tx.execute(
        `update sign_in_failure
         set failures = $2, failed_at = $3, locked_until = $4
         where key = $1`,
        [key, failures, now, now.add({ seconds: lockedS })],
      );
    }
    return { hasLocked };
  });
}

/** Whether a clock that was ahead counted the failure, so that it and its lockout do not count (decision 63). If only this node's is slow, they do. */
async function isAheadOfAll(tx: Tx, failedAt: Temporal.Instant, now: Temporal.Instant): Promise<boolean> {
  return isAhead(failedAt, now) && isAhead(failedAt, await readLatestNow(tx, now));
}

/** Undoes the last counted attempt of a key, which was not a failure, and the lockout that it caused. */
export async function uncountAttempt(queryable: Queryable, key: string): Promise<void> {
  await queryable.execute(
    `update sign_in_failure
     set failures = greatest(failures - 1, 0), locked_until = '-infinity'
     where key = $1`,
    [key],
  );
}

/**
 * Counts a code from the app that a signed-in person entered, as `countAttempt` does: together with their passwords, and separately, so that
 * a correct password does not reset the count of wrong codes. Otherwise somebody with a session and the password could guess the code
 * that turns the app off.
 */
export function countOwnCode(deps: Pick<Deps, "db" | "clock">, staffUid: string): Promise<{ hasLocked: boolean }> {
  return countAttempt(
    deps,
    ownCodeKeys(staffUid).map((key) => ({ key, rule: PERSON_RULE })),
  );
}

/** Resets the count of `countOwnCode` after a correct code. */
export async function resetOwnCodeCount(queryable: Queryable, staffUid: string): Promise<void> {
  for (const key of ownCodeKeys(staffUid)) await deleteFailures(queryable, key);
}

function ownCodeKeys(staffUid: string): string[] {
  return [`account/${staffUid}`, `code/${staffUid}`];
}

/** Deletes the failures of a key after a successful sign-in. */
export async function deleteFailures(queryable: Queryable, key: string): Promise<void> {
  await queryable.execute("delete from sign_in_failure where key = $1", [key]);
}
