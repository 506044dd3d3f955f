import { isDatabaseAway } from "../db/database-away.ts";
import { sqlState, TIMEOUT_STATE } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type Sample, sample } from "./families.ts";
import { STORE_COLLECTORS, type StoreCollector } from "./store-collectors.ts";

/** How long a result is reused: however many scrapes there are, the database is read twelve times a minute. */
const FRESH_MS = 5_000;
/** The time limit of a statement. */
const STATEMENT_MS = 1_000;
/** A scrape never waits longer. */
const BUDGET_MS = 3_000;
/** No collector begins after this time: the last one that did ends within the budget. */
const LAST_BEGIN_MS = BUDGET_MS - STATEMENT_MS;

type ReaderDeps = Pick<Deps, "db" | "clock" | "config" | "log">;

/**
 * Returns a function that reads the database for a scrape. There is one reader at a time, and each statement has a time limit. Values that cannot be
 * read in time are absent, which `pointkeeper_collector_up` or `pointkeeper_database_up` shows. It never fails, and never waits longer than 3 s.
 */
export function createStoreReader(
  deps: ReaderDeps,
  collectors: readonly StoreCollector[] = STORE_COLLECTORS,
): () => Promise<readonly Sample[]> {
  let last: { readonly atMs: number; readonly samples: readonly Sample[] } | undefined;
  let reading: Promise<readonly Sample[]> | undefined;

  async function read(): Promise<readonly Sample[]> {
    const samples = await readAll(deps, collectors);
    last = { atMs: performance.now(), samples };
    return samples;
  }

  return async () => {
    if (last !== undefined && performance.now() - last.atMs < FRESH_MS) return last.samples;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    const { promise: late, resolve } = Promise.withResolvers<readonly Sample[]>();
    const timer = setTimeout(() => resolve(sample("pointkeeper_database_up", 0)), BUDGET_MS);
    try {
      return await Promise.race([reading, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}

async function readAll(deps: ReaderDeps, collectors: readonly StoreCollector[]): Promise<Sample[]> {
  const startedMs = performance.now();
  const samples: Sample[] = [];
  for (const { name, collect } of collectors) {
    const beganMs = performance.now();
    if (beganMs - startedMs > LAST_BEGIN_MS) {
      samples.push(...sample("pointkeeper_collector_up", 0, { collector: name })); // its alerts are blind too
      continue;
    }
    try {
      samples.push(...(await readOne(deps, collect)));
      samples.push(...sample("pointkeeper_collector_up", 1, { collector: name }));
    } catch (error) {
      const isSlow = sqlState(error) === TIMEOUT_STATE;
      if (!isSlow && isDatabaseAway(error)) return [...samples, ...sample("pointkeeper_database_up", 0)];
      deps.log.warn({ error, collector: name }, "metrics could not be read from the database");
      samples.push(...sample("pointkeeper_collector_up", 0, { collector: name }));
    }
    const seconds = (performance.now() - beganMs) / 1_000;
    samples.push(...sample("pointkeeper_collector_duration_seconds", seconds, { collector: name }));
  }
  return [...samples, ...sample("pointkeeper_database_up", 1)];
}

function readOne(deps: ReaderDeps, collect: StoreCollector["collect"]): Promise<Sample[]> {
  return deps.db.snapshot(async (tx) => {
    await tx.query("select set_config('statement_timeout', $1, true)", [String(STATEMENT_MS)]);
    return collect(tx, deps);
  });
}
