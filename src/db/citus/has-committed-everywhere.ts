import { setTimeout as delay } from "node:timers/promises";
import type { Queryable } from "../pool.ts";

const TRIES = 20;
const REST_MS = 5;

// For this database, on every worker. A worker that does not answer does not count as having committed.
const READ_PREPARED = `select success,
  result
from run_command_on_workers($$
  select coalesce(string_agg(gid, ' '), '')
  from pg_prepared_xacts
  where database = current_database()$$)`;

/**
 * Waits until everything that the coordinator of a Citus had committed when this began is committed on every worker too. Returns false if
 * that takes longer than a moment, or a worker does not answer. The coordinator commits first and then informs the workers; until each has
 * committed, the transaction stays prepared.
 */
export async function hasCommittedEverywhere(queryable: Queryable): Promise<boolean> {
  const begun = await readPrepared(queryable);
  if (begun === null) return false;
  for (let left: ReadonlySet<string> = begun, tries = 0; left.size > 0; tries++) {
    if (tries === TRIES) return false;
    await delay(REST_MS);
    const prepared = await readPrepared(queryable);
    if (prepared === null) return false;
    left = left.intersection(prepared);
  }
  return true;
}

async function readPrepared(queryable: Queryable): Promise<ReadonlySet<string> | null> {
  const rows = await queryable.query<{ success: boolean; result: string }>(READ_PREPARED);
  if (rows.some(({ success }) => !success)) return null;
  return new Set(rows.flatMap(({ result }) => result.split(" ").filter((gid) => gid !== "")));
}
