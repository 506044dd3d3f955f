import type { Db, Tx } from "../db/pool.ts";
import { bucketOf } from "./customer-ref.ts";
import { LEDGER_SCANS, type LedgerCheck, type LedgerScan, scanOf } from "./ledger-checks.ts";

const BUCKETS = 256;
/** A pass holds about so many at most: each pass reads the whole tables, whose rows of its buckets stand everywhere. */
const PASS_BYTES = 1_024 * 2 ** 20;
/** What the database may keep in memory of one step of a query, before it goes to files. */
const WORK_MEM = "set local work_mem = '48MB'";
/** Faults of a query and a pass that are printed. */
const FAULTS_MAX = 10_000;

/** The first and the last of some buckets. */
type Range = readonly [first: number, last: number];

export interface VerifyResult {
  readonly ok: boolean;
  readonly customers: number;
  readonly allotments: number;
  readonly faults: number;
  readonly checks: readonly CheckResult[];
}

/** What one check found over the whole database. */
export interface CheckResult {
  readonly name: string;
  readonly says: string;
  readonly faults: number;
}

/** How a check of the whole ledger is done. */
export interface VerifyOptions {
  /** So many passes are made beside one another, each on a connection of its own. */
  readonly workers?: number;
  /** Called after each pass. */
  readonly onProgress?: (done: { readonly buckets: number; readonly ofBuckets: number }) => void;
}

/**
 * Recomputes every invariant of program.md 3 over the whole database, some buckets at a time, each pass at one moment, while the
 * service may be running. Memory is bounded. `print` gets a line for each customer that does not hold and for each check.
 * Features above the ledger pass their own checks as `more`.
 */
export async function verifyLedger(
  db: Db,
  print: (line: string) => void,
  more: readonly LedgerCheck[] = [],
  { workers = 1, onProgress }: VerifyOptions = {},
): Promise<VerifyResult> {
  const scans = [...LEDGER_SCANS, ...more.map(scanOf)];
  const checks = scans.flatMap((scan) => scan.checks);
  const faultsOf = new Map(checks.map((check) => [check.name, 0]));
  const fault = (name: string, line: string) => {
    faultsOf.set(name, (faultsOf.get(name) ?? 0) + 1);
    print(line);
  };
  const ranges = bucketRanges(await countPasses(db, workers));
  const counts = { customers: 0, allotments: 0 };
  let buckets = 0;
  async function verifyRanges(): Promise<void> {
    for (let range = ranges.shift(); range !== undefined; range = ranges.shift()) {
      const { customers, allotments } = await verifyRange(db, range, scans, fault);
      counts.customers += customers;
      counts.allotments += allotments;
      buckets += range[1] - range[0] + 1;
      onProgress?.({ buckets, ofBuckets: BUCKETS });
    }
  }
  await Promise.all(Array.from({ length: workers }, verifyRanges));
  const results = checks.map(({ name, says }) => ({ name, says, faults: faultsOf.get(name) ?? 0 }));
  for (const { name, says, faults } of results)
    print(`${faults === 0 ? "ok  " : "FAIL"} ${name}: ${says}${faults === 0 ? "" : ` (${faults} found)`}`);
  const faults = results.reduce((sum, result) => sum + result.faults, 0);
  print(
    `${counts.customers} customers, ${counts.allotments} allotments checked: ${faults === 0 ? "everything holds" : `${faults} faults`}`,
  );
  return { ok: faults === 0, ...counts, faults, checks: results };
}

/** A multiple of the workers, so that they end at about one time. */
async function countPasses(db: Db, workers: number): Promise<number> {
  const size = (await db.isDistributed()) ? "citus_relation_size" : "pg_relation_size";
  const [row] = await db.query<{ bytes: bigint }>(`select ${size}('allotment') as bytes`);
  const passes = Math.max(1, Math.ceil(Number(row?.bytes ?? 0n) / PASS_BYTES));
  return Math.min(BUCKETS, workers * Math.ceil(passes / workers));
}

/** All buckets in so many parts of about one size. */
function bucketRanges(parts: number): Range[] {
  const start = (part: number) => Math.round((part * BUCKETS) / parts);
  return Array.from({ length: parts }, (_, part) => [start(part), start(part + 1) - 1]);
}

const COUNTS = `select (select count(*) from balance where bucket between $1 and $2) as customers,
  (select count(*) from allotment where bucket between $1 and $2) as allotments`;

function verifyRange(
  db: Db,
  range: Range,
  scans: readonly LedgerScan[],
  fault: (name: string, line: string) => void,
): Promise<{ customers: number; allotments: number }> {
  return db.snapshot(async (tx) => {
    await tx.execute(WORK_MEM);
    for (const scan of scans) await runScan(tx, range, scan, fault);
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

async function runScan(
  tx: Tx,
  range: Range,
  { checks, text }: LedgerScan,
  fault: (name: string, line: string) => void,
): Promise<void> {
  const rows = await tx.query<FaultRow>(`select *\nfrom (${text}) f\nlimit ${FAULTS_MAX}`, range);
  if (rows.length === 0) return;
  rows.sort((a, b) => (a.customer_uid < b.customer_uid ? -1 : Number(a.customer_uid > b.customer_uid)));
  const storefrontIds = await selectStorefrontIds(tx, [...new Set(rows.map((row) => row.customer_uid))]);
  for (const { name = checks[0]?.name ?? "", customer_uid: uid, found } of rows) {
    fault(name, `FAIL ${name}: customer ${storefrontIds.get(uid) ?? "?"} (${uid}): ${found}`);
  }
}

const STOREFRONT_IDS = `select c.customer_uid as uid,
  c.storefront_id as "storefrontId"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid`;

async function selectStorefrontIds(tx: Tx, uids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ uid: string; storefrontId: string }>(STOREFRONT_IDS, [uids.map(bucketOf), uids]);
  return new Map(rows.map(({ uid, storefrontId }) => [uid, storefrontId]));
}
