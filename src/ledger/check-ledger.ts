import type { Db, Queryable, Tx } from "../db/pool.ts";
import { bucketOf } from "./customer-ref.ts";
import { HISTORY_CHECKS, LEDGER_SCANS, type LedgerCheck, type LedgerScan, scanOf } from "./ledger-checks.ts";
import type { LedgerKey } from "./ledger-key.ts";
import type { AllotmentPass } from "./pass-allotments.ts";
import { CHAIN_CHECK, NOTE_CHECK, verifyChains } from "./verify-chains.ts";

const BUCKETS = 256;
const ALL_BUCKETS = [0, BUCKETS - 1] as const;
/** A pass holds about so many at most: each pass reads the whole tables, whose rows of its buckets stand everywhere. */
const PASS_BYTES = 1_024 * 2 ** 20;
/** What the database may keep in memory of one step of a query, before it goes to files. */
const WORK_MEM = "select set_config('work_mem', '48MB', true)";
const ONE_CORE = "set_config('max_parallel_workers_per_gather', '0', true)";
/** Faults of a query and a pass that are printed. */
const FAULTS_MAX = 10_000;

/** The first and the last of some buckets. */
export type BucketRange = readonly [first: number, last: number];

/** Something that does not hold. */
export interface LedgerFault {
  /** The name of the check that found it. */
  readonly check: string;
  readonly customerUid: string;
  /** null: nobody is known by this uid. */
  readonly storefrontId: string | null;
  /** What was found, the end of a sentence. */
  readonly found: string;
}

/** One check and how often it did not hold. */
export interface CheckCount {
  readonly name: string;
  readonly says: string;
  readonly faults: number;
}

export interface VerifyResult {
  readonly ok: boolean;
  readonly customers: number;
  readonly allotments: number;
  readonly faults: number;
  readonly checks: readonly CheckCount[];
  /** Customers whose chain the worker has still to make: an update, or the reset of a lost key, is not over. */
  readonly notLinked: number;
}

export interface VerifyOptions {
  /** Takes each fault as it is found. */
  readonly onFault?: (fault: LedgerFault) => void;
  /** The checks of features above the ledger. */
  readonly more?: readonly LedgerCheck[];
  /** So many passes run beside one another, each on a connection of its own. */
  readonly workers?: number;
  /** Opens the chains; null: they are not checked. */
  readonly key?: LedgerKey | null;
  /** A pass over all allotments that runs beside the checks, which need not look again at what it finds to hold; of all buckets. */
  readonly pass?: Promise<AllotmentPass> | undefined;
  /** Only these buckets. */
  readonly range?: BucketRange;
  /** Queries of the database run beside requests: each takes no more than one core. */
  readonly isBesideRequests?: boolean;
  /** Called after each pass. */
  readonly onProgress?: ((done: { readonly buckets: number; readonly ofBuckets: number }) => void) | undefined;
}

/** What the check reads: a database, or what a transaction wrote. */
export type CheckedDb = Pick<Db, "query" | "isDistributed" | "snapshot" | "reading">;

/**
 * Recomputes every invariant of program.md 3, some buckets at a time, each pass at one moment, while the service may be running. Memory
 * is bounded.
 */
export async function checkLedger(db: CheckedDb, options: VerifyOptions): Promise<VerifyResult> {
  const { onFault, onProgress, more = [], workers = 1, key = null, pass, range: [first, last] = ALL_BUCKETS } = options;
  const settings = options.isBesideRequests === true ? `${WORK_MEM}, ${ONE_CORE}` : WORK_MEM;
  const scans = [...LEDGER_SCANS, scanOf(NOTE_CHECK), ...more.map(scanOf)];
  const checks = [...scans.flatMap((scan) => scan.checks), ...(key === null ? [] : [CHAIN_CHECK])];
  const faultsOf = new Map(checks.map((check) => [check.name, 0]));
  const fault = (found: LedgerFault) => {
    faultsOf.set(found.check, (faultsOf.get(found.check) ?? 0) + 1);
    onFault?.(found);
  };
  const ranges = bucketRanges(await countPasses(db, workers)).flatMap(([from, to]): BucketRange[] =>
    to < first || from > last ? [] : [[Math.max(from, first), Math.min(to, last)]],
  );
  const counts = { customers: 0, allotments: 0, notLinked: 0 };
  let buckets = 0;
  const own = pass === undefined ? scans : scans.filter((scan) => scan !== HISTORY_CHECKS);
  const ran = eachRange(ranges, workers, async (range) => {
    const { customers, allotments } = await verifyRange(db, range, { scans: own, settings }, fault);
    counts.customers += customers;
    counts.allotments += allotments;
    if (key !== null && pass === undefined) counts.notLinked += await verifyRangeChains(db, range, key, fault);
    buckets += range[1] - range[0] + 1;
    onProgress?.({ buckets, ofBuckets: last - first + 1 });
  });
  const [passed] = await Promise.all([pass, ran]);
  if (passed !== undefined) {
    await eachRange(ranges, workers, async (range) => {
      if (!passed.areHistoriesClean) await verifyRange(db, range, { scans: [HISTORY_CHECKS], settings }, fault);
      if (key !== null && !passed.areChainsClean) counts.notLinked += await verifyRangeChains(db, range, key, fault);
    });
  }
  const counted = checks.map(({ name, says }): CheckCount => ({ name, says, faults: faultsOf.get(name) ?? 0 }));
  const faults = counted.reduce((sum, check) => sum + check.faults, 0);
  return { ok: faults === 0, ...counts, faults, checks: counted };
}

/** Runs work for each range, so many at a time. */
async function eachRange(
  ranges: readonly BucketRange[],
  workers: number,
  work: (range: BucketRange) => Promise<void>,
): Promise<void> {
  const left = [...ranges];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let range = left.shift(); range !== undefined; range = left.shift()) await work(range);
    }),
  );
}

/** A multiple of the workers, so that they end at about one time. */
async function countPasses(db: CheckedDb, workers: number): Promise<number> {
  const size = (await db.isDistributed()) ? "citus_relation_size" : "pg_relation_size";
  const [row] = await db.query<{ bytes: bigint }>(`select ${size}('allotment') as bytes`);
  const passes = Math.max(1, Math.ceil(Number(row?.bytes ?? 0n) / PASS_BYTES));
  return Math.min(BUCKETS, workers * Math.ceil(passes / workers));
}

/** All buckets in so many parts of about one size. */
function bucketRanges(parts: number): BucketRange[] {
  const start = (part: number) => Math.round((part * BUCKETS) / parts);
  return Array.from({ length: parts }, (_, part) => [start(part), start(part + 1) - 1]);
}

const COUNTS = `select (select count(*) from balance where bucket between $1 and $2) as customers,
  (select count(*) from allotment where bucket between $1 and $2) as allotments`;

function verifyRange(
  db: CheckedDb,
  range: BucketRange,
  { scans, settings }: { readonly scans: readonly LedgerScan[]; readonly settings: string },
  fault: (found: LedgerFault) => void,
): Promise<{ customers: number; allotments: number }> {
  return db.snapshot(async (tx) => {
    await tx.execute(settings);
    for (const scan of scans) {
      await tx.execute(`set local enable_indexscan = ${scan.readsWholeTables ? "off" : "on"}`);
      if (await isSuspect(tx, range, scan)) await runScan(tx, range, scan, fault);
    }
    const [counts] = await tx.query<{ customers: bigint; allotments: bigint }>(COUNTS, range);
    return { customers: Number(counts?.customers ?? 0n), allotments: Number(counts?.allotments ?? 0n) };
  });
}

interface FaultRow {
  /** Absent of a scan of one check. */
  readonly name?: string;
  readonly customer_uid: string;
  readonly found: string;
}

async function isSuspect(tx: Tx, range: BucketRange, { suspects }: LedgerScan): Promise<boolean> {
  return suspects === undefined || (await tx.query(`select\nfrom (${suspects}) s\nlimit 1`, range)).length > 0;
}

async function runScan(
  tx: Tx,
  range: BucketRange,
  { checks, text }: LedgerScan,
  fault: (found: LedgerFault) => void,
): Promise<void> {
  const rows = await tx.query<FaultRow>(`select *\nfrom (${text}) f\nlimit ${FAULTS_MAX}`, range);
  if (rows.length === 0) return;
  rows.sort((a, b) => (a.customer_uid < b.customer_uid ? -1 : Number(a.customer_uid > b.customer_uid)));
  const storefrontIds = await selectStorefrontIds(tx, [...new Set(rows.map((row) => row.customer_uid))]);
  for (const { name = checks[0]?.name ?? "", customer_uid: uid, found } of rows)
    fault({ check: name, customerUid: uid, storefrontId: storefrontIds.get(uid) ?? null, found });
}

/** Returns how many customers are not linked yet. */
async function verifyRangeChains(
  db: CheckedDb,
  range: BucketRange,
  key: LedgerKey,
  fault: (found: LedgerFault) => void,
): Promise<number> {
  return db.reading(async (reading) => {
    const { faults, notLinked } = await verifyChains(reading, range, key);
    const storefrontIds = await selectStorefrontIds(
      reading,
      faults.map(({ customerUid }) => customerUid),
    );
    for (const { customerUid, found } of faults)
      fault({ check: CHAIN_CHECK.name, customerUid, storefrontId: storefrontIds.get(customerUid) ?? null, found });
    return notLinked;
  });
}

const STOREFRONT_IDS = `select c.customer_uid as uid,
  c.storefront_id as "storefrontId"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid`;

async function selectStorefrontIds(tx: Queryable, uids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ uid: string; storefrontId: string }>(STOREFRONT_IDS, [uids.map(bucketOf), uids]);
  return new Map(rows.map(({ uid, storefrontId }) => [uid, storefrontId]));
}
