import type { Deps } from "../deps.ts";
import { type AddressTally, hourOf, limitTallies } from "./auth-failures.ts";
import { recordAuthFailures } from "./record-auth-failures.ts";

/** Nodes take turns, so that an hour has no more rows than it may. */
const LOCK = "select pg_advisory_xact_lock(hashtextextended('pointkeeper api auth failures', 0))";

const SELECT_KNOWN = `select address
from api_auth_failure
where hour = $1`;

const ADD = `insert into api_auth_failure as f (hour, address, failures, told, last_at)
select $1, address, failures, 0, $2
from unnest($3::text[], $4::bigint[]) as t (address, failures)
on conflict (hour, address) do update
set failures = f.failures + excluded.failures, last_at = excluded.last_at`;

/** Adds failures of this process to those of the hour, and tells the audit log what it should know at once. */
export async function writeAuthFailures(
  deps: Pick<Deps, "db" | "clock">,
  tallies: readonly AddressTally[],
): Promise<void> {
  const now = deps.clock.now();
  const hour = hourOf(now);
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK);
    const known = new Set((await tx.query<{ address: string }>(SELECT_KNOWN, [hour])).map(({ address }) => address));
    const rows = limitTallies(tallies, known);
    const failures = rows.map((row) => BigInt(row.failures));
    await tx.execute(ADD, [hour, now, rows.map(({ address }) => address), failures]);
  });
  await recordAuthFailures(deps);
}
