import { adaptiveBatchSize, type BackpressureDeps, pauseWhileBusy } from "../../db/backpressure.ts";
import type { Deps } from "../../deps.ts";
import { readProgram } from "../../program/read-program.ts";
import { localDate } from "../../time/store-time.ts";
import type { CustomerRef } from "../customer-ref.ts";
import type { PostingDeps } from "../queue/posting-batch.ts";
import { advanceExpiryDays, type DueCandidate, type DueIndex, selectDuePage } from "./due-queries.ts";
import { type DueSearch, dueSearch, isDue } from "./due-search.ts";
import { writeOffExpired } from "./write-off-expired.ts";

type SweepDeps = PostingDeps & BackpressureDeps & Pick<Deps, "db" | "log">;

export interface ExpirePointsOptions {
  /** Ends the sweep after the batches in progress; the next sweep continues. */
  readonly signal?: AbortSignal;
  /** Customers per transaction; absent: 200, and fewer while requests are posting. */
  readonly batchCustomers?: number;
}

const PAGE_ROWS = { quiet: 1_000, busy: 200 };
const BATCH_CUSTOMERS = { quiet: 200, busy: 20 };
/** The database reads and writes one batch while the next one is being decided. */
const IN_FLIGHT_MAX = { quiet: 2, busy: 1 };
/** If this many customers fail, the cause is general, and the sweep stops. */
const FAILED_MAX = 20;

/**
 * The sweep (program.md 5): writes off points that have reached their date, for all customers, in short transactions. Finished customers leave
 * the indexes that it walks, so it may be killed, repeated and run by several nodes at once: points expire only once. Returns for how many
 * customers points expired. If a batch fails, its customers are run one by one; throws at the end if some could not be expired.
 */
export async function expirePoints(deps: SweepDeps, options: ExpirePointsOptions = {}): Promise<number> {
  const { expiration, store } = await readProgram(deps.db);
  const search = dueSearch({ ...expiration, timeZone: store.timeZone }, deps.clock.now());
  const tally: Tally = { expired: 0, failed: 0 };
  const inFlight = new Set<Promise<void>>();
  try {
    for await (const batch of dueBatches(deps, search, options)) {
      const startedMs = performance.now();
      const work: Promise<void> = expireBatch(deps, batch, tally).finally(() => inFlight.delete(work));
      inFlight.add(work);
      while (inFlight.size >= adaptiveBatchSize(deps, IN_FLIGHT_MAX)) await Promise.race(inFlight);
      await pauseWhileBusy(deps, performance.now() - startedMs);
      if (options.signal?.aborted === true || tally.failed >= FAILED_MAX) break;
    }
  } finally {
    await Promise.all(inFlight);
  }
  if (tally.failed > 0) throw new Error(`the points of ${tally.failed} customers could not be expired: see the log`);
  return tally.expired;
}

type IndexDeps = BackpressureDeps & Pick<Deps, "db" | "log">;

interface Tally {
  expired: number;
  failed: number;
}

/**
 * Yields customers with due points, in batches. They are found by index and checked by their rows. Customers found by an outdated day get
 * their current day in the index, and are not found again.
 */
async function* dueBatches(
  deps: IndexDeps,
  search: DueSearch,
  { batchCustomers, signal }: ExpirePointsOptions,
): AsyncGenerator<CustomerRef[]> {
  for (const { index, until } of walksOf(search)) {
    let after: DueCandidate | null = null;
    for (;;) {
      const rows = adaptiveBatchSize(deps, PAGE_ROWS);
      const startedMs = performance.now();
      const page: DueCandidate[] = await selectDuePage(deps.db, index, { after, until, rows });
      const due = new Map(page.filter((row) => isDue(search, row)).map((row) => [row.customerUid, row]));
      await pauseWhileBusy(deps, performance.now() - startedMs);
      const customers = [...due.values()];
      while (customers.length > 0)
        yield customers.splice(0, batchCustomers ?? adaptiveBatchSize(deps, BATCH_CUSTOMERS));
      const behind = page.filter((row) => row.isBehind && !due.has(row.customerUid));
      await advance(deps, behind, signal);
      after = page.at(-1) ?? null;
      if (page.length < rows || signal?.aborted === true) break;
    }
  }
}

/** Moves balances to their current day. Those that fail are found again by the next sweep: they have nothing due. */
async function advance(deps: IndexDeps, behind: CustomerRef[], signal: AbortSignal | undefined): Promise<void> {
  while (behind.length > 0 && signal?.aborted !== true) {
    const startedMs = performance.now();
    const customers = behind.splice(0, adaptiveBatchSize(deps, BATCH_CUSTOMERS));
    await deps.db
      .tx((tx) => advanceExpiryDays(tx, customers))
      .catch((error) => deps.log.warn({ error }, "balances that a sweep read too early are left unchanged"));
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
}

function walksOf({ datedUntil, undated }: DueSearch): { index: DueIndex; until: Temporal.Instant | string }[] {
  const dated = { index: "dated", until: datedUntil } as const;
  if (undated === null) return [dated];
  const { by, lastStart } = undated;
  return [dated, { index: by, until: by === "day" ? localDate(lastStart, "UTC") : lastStart }];
}

/** Expires one batch. Never throws: failures are counted and logged. */
async function expireBatch(deps: SweepDeps, customers: readonly CustomerRef[], tally: Tally): Promise<void> {
  try {
    const expired = await deps.db.tx((tx) => writeOffExpired(tx, deps, customers));
    tally.expired += expired;
  } catch (error) {
    if (customers.length === 1) {
      tally.failed += 1;
      deps.log.error({ error, customerUid: customers[0]?.customerUid }, "a customer's points could not be expired");
      return;
    }
    for (const customer of customers) {
      if (tally.failed < FAILED_MAX) await expireBatch(deps, [customer], tally);
    }
  }
}
