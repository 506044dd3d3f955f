import { randomBytes } from "node:crypto";
import type { Db, Queryable, Tx } from "../../db/pool.ts";
import { bucketOf } from "../customer-ref.ts";
import type { LedgerKey } from "../key/ledger-key.ts";
import { HISTORY_CHECKS, LEDGER_SCANS, type LedgerCheck, type LedgerScan, scanOf } from "./ledger-checks.ts";
import type { AllotmentPass } from "./pass-allotments.ts";
import { CHAIN_CHECK, NOTE_CHECK, verifyChains } from "./verify-chains.ts";

const BUCKETS = 256;
const ALL_BUCKETS = [0, BUCKETS - 1] as const;
/** The maximum bytes of allotments that one query sorts, or whose customers it groups. A query reads whole tables: a bucket's rows are scattered. */
const SORTED_BYTES = 2 ** 30;
const GROUPED_BYTES = 16 * SORTED_BYTES;
/** The memory that one step of a query may use before the database writes to files. */
const WORK_MEM = "select set_config('work_mem', '48MB', true)";
const ONE_CORE = "set_config('max_parallel_workers_per_gather', '0', true)";
const NO_TIMEOUT = "set_config('statement_timeout', '0', true)";
const SEED_BYTES = 8;
/** The maximum number of printed faults per query and pass. */
const FAULTS_MAX = 10_000;

/** A range of buckets, both ends included. */
export type BucketRange = readonly [first: number, last: number];

/** A violation of an invariant. */
export interface LedgerFault {
  /** The name of the check that found it. */
  readonly check: string;
  readonly customerUid: string;
  /** null: no customer has this uid. */
  readonly storefrontId: string | null;
  /** What was found, as the end of a sentence. */
  readonly found: string;
}

/** One check and the number of its faults. */
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
  /** Customers whose chain the worker still has to create: after an update, or after the reset of a lost key. */
  readonly notLinked: number;
}

export interface VerifyOptions {
  /** Called for each fault as it is found. */
  readonly onFault?: (fault: LedgerFault) => void;
  /** The checks of features above the ledger. */
  readonly more?: readonly LedgerCheck[];
  /** The number of queries that run in parallel, each on its own connection. */
  readonly workers?: number;
  /** The key for the chains; null: they are not checked. */
  readonly key?: LedgerKey | null;
  /** A pass over the allotments of all buckets that runs in parallel. The checks skip what it finds correct. */
  readonly pass?: Promise<AllotmentPass> | undefined;
  /** Check only these buckets. */
  readonly range?: BucketRange;
  /** Requests are served at the same time: each query uses at most one core. */
  readonly isBesideRequests?: boolean;
  /** Called after each query. */
  readonly onProgress?: ((done: { readonly queries: number; readonly ofQueries: number }) => void) | undefined;
}

/** The database that the check reads, or a transaction whose writes it reads. */
export type CheckedDb = Pick<Db, "query" | "isDistributed" | "snapshot" | "reading">;

/**
 * Recomputes every invariant of program.md 3, each with queries over some or all buckets, while the service may be running. The data that
 * one query compares is from one moment. Memory is bounded.
 */
export async function checkLedger(db: CheckedDb, options: VerifyOptions): Promise<VerifyResult> {
  const { onFault, onProgress, more = [], workers = 1, key = null, pass, range = ALL_BUCKETS } = options;
  const settings = `${WORK_MEM}, ${options.isBesideRequests === true ? ONE_CORE : NO_TIMEOUT}`;
  const scans = [...LEDGER_SCANS, scanOf(NOTE_CHECK), ...more.map(scanOf)];
  const checks = [...scans.flatMap((scan) => scan.checks), ...(key === null ? [] : [CHAIN_CHECK])];
  const faultsOf = new Map(checks.map((check) => [check.name, 0]));
  const fault = (found: LedgerFault) => {
    faultsOf.set(found.check, (faultsOf.get(found.check) ?? 0) + 1);
    onFault?.(found);
  };
  const bytes = await allotmentBytes(db);
  const sorted = bucketRanges(bytes, { queryBytes: SORTED_BYTES, multipleOf: workers, range });
  const grouped = bucketRanges(bytes, { queryBytes: GROUPED_BYTES, multipleOf: 1, range });
  const histories = sorted.map((each) => () => runScan(db, each, { scan: HISTORY_CHECKS, settings }, fault));
  let notLinked = 0;
  const chains = sorted.map((each) => async () => {
    if (key !== null) notLinked += await verifyRangeChains(db, each, key, fault);
  });
  const others = scans
    .filter((scan) => scan !== HISTORY_CHECKS)
    .flatMap((scan) => grouped.map((each) => () => runScan(db, each, { scan, settings }, fault)));
  const own = pass === undefined ? [...histories, ...others, ...chains] : others;
  const ofQueries = own.length + (pass === undefined ? 0 : 1);
  let queries = 0;
  const count = () => onProgress?.({ queries: ++queries, ofQueries });
  const [passed] = await Promise.all([pass, runBeside(own, workers, count), pass?.then(count)]);
  if (passed?.areHistoriesClean === false) await runBeside(histories, workers);
  if (passed?.areChainsClean === false) await runBeside(chains, workers);
  const counted = checks.map(({ name, says }): CheckCount => ({ name, says, faults: faultsOf.get(name) ?? 0 }));
  const faults = counted.reduce((sum, check) => sum + check.faults, 0);
  return { ok: faults === 0, ...(await countRows(db, range, settings)), notLinked, faults, checks: counted };
}

/** Runs all pieces of work, with a limited number at a time. */
async function runBeside(
  work: readonly (() => Promise<void>)[],
  workers: number,
  onDone: () => void = () => {},
): Promise<void> {
  const left = [...work];
  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) {
        await next();
        onDone();
      }
    }),
  );
}

async function allotmentBytes(db: CheckedDb): Promise<number> {
  const size = (await db.isDistributed()) ? "citus_relation_size" : "pg_relation_size";
  const [row] = await db.query<{ bytes: bigint }>(`select ${size}('allotment') as bytes`);
  return Number(row?.bytes ?? 0n);
}

/**
 * Splits a range of buckets into parts of about the same size, each at most `queryBytes`. For the whole range, their number is a multiple of
 * `multipleOf`.
 */
function bucketRanges(
  bytes: number,
  of: { readonly queryBytes: number; readonly multipleOf: number; readonly range: BucketRange },
): BucketRange[] {
  const [first, last] = of.range;
  const needed = Math.ceil(Math.max(1, bytes / of.queryBytes) / of.multipleOf);
  const parts = Math.min(BUCKETS, of.multipleOf * needed);
  const start = (part: number) => Math.round((part * BUCKETS) / parts);
  return Array.from({ length: parts }, (_, part) => [start(part), start(part + 1) - 1] as const).flatMap(
    ([from, to]): BucketRange[] => (to < first || from > last ? [] : [[Math.max(from, first), Math.min(to, last)]]),
  );
}

const COUNTS = `select (select count(*) from balance where bucket between $1 and $2) as customers,
  (select count(*) from allotment where bucket between $1 and $2) as allotments`;

function countRows(
  db: CheckedDb,
  range: BucketRange,
  settings: string,
): Promise<{ customers: number; allotments: number }> {
  return db.snapshot(async (tx) => {
    await tx.execute(settings);
    const [counts] = await tx.query<{ customers: bigint; allotments: bigint }>(COUNTS, range);
    return { customers: Number(counts?.customers ?? 0n), allotments: Number(counts?.allotments ?? 0n) };
  });
}

interface FaultRow {
  /** Absent for a scan of a single check. */
  readonly name?: string;
  readonly customer_uid: string;
  readonly found: string;
}

function runScan(
  db: CheckedDb,
  range: BucketRange,
  { scan, settings }: { readonly scan: LedgerScan; readonly settings: string },
  fault: (found: LedgerFault) => void,
): Promise<void> {
  return db.snapshot(async (tx) => {
    await tx.execute(settings);
    await tx.execute(`set local enable_indexscan = ${scan.readsWholeTables ? "off" : "on"}`);
    if (!(await isSuspect(tx, range, scan))) return;
    const rows = await tx.query<FaultRow>(`select *\nfrom (${scan.text}) f\nlimit ${FAULTS_MAX}`, range);
    if (rows.length === 0) return;
    rows.sort((a, b) => (a.customer_uid < b.customer_uid ? -1 : Number(a.customer_uid > b.customer_uid)));
    const storefrontIds = await selectStorefrontIds(tx, [...new Set(rows.map((row) => row.customer_uid))]);
    for (const { name = scan.checks[0]?.name ?? "", customer_uid: uid, found } of rows)
      fault({ check: name, customerUid: uid, storefrontId: storefrontIds.get(uid) ?? null, found });
  });
}

async function isSuspect(tx: Tx, range: BucketRange, { suspects }: LedgerScan): Promise<boolean> {
  if (suspects === undefined) return true;
  const seed = randomBytes(SEED_BYTES).readBigInt64BE();
  return (await tx.query(`select\nfrom (${suspects}) s\nlimit 1`, [...range, seed])).length > 0;
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
