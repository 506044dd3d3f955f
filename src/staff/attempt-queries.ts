import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { FORGOTTEN_HOURS, type LockoutRule, lockS, PERSON_RULE } from "./lockout.ts";

/** What failures are counted by: `email/<sha-256>`, `address/<address>`, `account/<uid>`, `code/<uid>`. */
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
 * Counts an attempt as failed before it is made, so that a thousand at once are a thousand; `forgiveAttempt` takes it back. Returns
 * whether it locked: the next one is refused for a while. 429 with the seconds to wait where it is locked now; nothing is counted then.
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
      const { lockedUntil } = row;
      if (lockedUntil !== null && Temporal.Instant.compare(now, lockedUntil) < 0) {
        throw new Problem("too_many_requests", { retryAfterS: now.until(lockedUntil).total("seconds") });
      }
      const isForgotten = now.since(row.failedAt).total("hours") >= FORGOTTEN_HOURS;
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

/** Takes back the last counted attempt of a key: it was no failure. Its lock ends with it. */
export async function forgiveAttempt(queryable: Queryable, key: string): Promise<void> {
  await queryable.execute(
    `update sign_in_failure
     set failures = greatest(failures - 1, 0), locked_until = '-infinity'
     where key = $1`,
    [key],
  );
}

/**
 * Counts a code of the app that somebody who is signed in gives, as `countAttempt` does: with their passwords, and by itself, so that a right
 * password ends no count of wrong codes. Else whoever has a session and the password could guess the code that turns the app off.
 */
export function countOwnCode(deps: Pick<Deps, "db" | "clock">, staffUid: string): Promise<{ hasLocked: boolean }> {
  return countAttempt(
    deps,
    ownCodeKeys(staffUid).map((key) => ({ key, rule: PERSON_RULE })),
  );
}

/** A right code ends what `countOwnCode` counted. */
export async function forgetOwnCodes(queryable: Queryable, staffUid: string): Promise<void> {
  for (const key of ownCodeKeys(staffUid)) await forgetFailures(queryable, key);
}

function ownCodeKeys(staffUid: string): string[] {
  return [`account/${staffUid}`, `code/${staffUid}`];
}

/** Ends the row of failures of a key: who was asked for has proved it. */
export async function forgetFailures(queryable: Queryable, key: string): Promise<void> {
  await queryable.execute("delete from sign_in_failure where key = $1", [key]);
}
