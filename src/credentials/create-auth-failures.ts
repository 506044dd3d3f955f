import { runAsSystem } from "../actor.ts";
import type { Deps } from "../deps.ts";
import { addressKey } from "../http/address-key.ts";
import { type AddressTally, hourOf, limitTallies, OTHER_ADDRESSES } from "./auth-failures.ts";
import { recordAuthFailures } from "./record-auth-failures.ts";

/** Counts requests of unknown senders in memory and writes sums, so that an attack costs a log line and a few rows per minute. */
export interface AuthFailures {
  /** Counts a failure of an address; returns at once. */
  record(address: string): void;
  /** Writes what is left; nothing is written after that. */
  close(): Promise<void>;
}

/** How soon the first failure after a quiet time is recorded. */
const FIRST_MS = 1_000;
const GAP_MS = 60_000;
const ADDRESSES_IN_MEMORY_MAX = 1_000;
const LOGGED_ADDRESSES = 5;

/** Nodes take turns, so that an hour does not exceed its maximum of rows. */
const LOCK = "select pg_advisory_xact_lock(hashtextextended('pointkeeper api auth failures', 0))";

const SELECT_KNOWN = `select address
from api_auth_failure
where hour = $1`;

const ADD = `insert into api_auth_failure as f (hour, address, failures, told, last_at)
select $1, address, failures, 0, $2
from unnest($3::text[], $4::bigint[]) as t (address, failures)
on conflict (hour, address) do update
set failures = f.failures + excluded.failures, last_at = excluded.last_at`;

export function createAuthFailures(deps: Pick<Deps, "db" | "clock" | "log">): AuthFailures {
  let tallies = new Map<string, number>();
  let writtenAtMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  function count(address: string, failures: number): void {
    const isKept = tallies.has(address) || tallies.size < ADDRESSES_IN_MEMORY_MAX;
    const key = isKept ? address : OTHER_ADDRESSES;
    tallies.set(key, (tallies.get(key) ?? 0) + failures);
  }

  function schedule(): void {
    if (timer !== undefined) return;
    const waitMs = Math.max(FIRST_MS, writtenAtMs + GAP_MS - performance.now());
    timer = setTimeout(() => runAsSystem(write), waitMs).unref();
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (tallies.size === 0) return;
    writtenAtMs = performance.now();
    const written = [...tallies].map(([address, failures]) => ({ address, failures }));
    tallies = new Map();
    const failures = written.reduce((sum, tally) => sum + tally.failures, 0);
    const most = written.toSorted((a, b) => b.failures - a.failures).slice(0, LOGGED_ADDRESSES);
    deps.log.warn({ failures, addresses: written.length, most }, "API authentication failed");
    try {
      await writeAuthFailures(deps, written);
    } catch (error) {
      deps.log.warn({ error }, "failed authentications could not be recorded");
      for (const tally of written) count(tally.address, tally.failures);
      schedule();
    }
  }

  return {
    record(address) {
      count(addressKey(address), 1);
      schedule();
    },
    async close() {
      await write();
      clearTimeout(timer);
    },
  };
}

/** Adds the failures of this process to those of the hour, and writes urgent entries to the audit log. */
async function writeAuthFailures(deps: Pick<Deps, "db" | "clock">, tallies: readonly AddressTally[]): Promise<void> {
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
