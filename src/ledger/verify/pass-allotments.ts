import type pg from "pg";
import { type BinaryRow, readNumber } from "../../db/binary-row.ts";
import { copyBinary } from "../../db/copy-binary.ts";
import { copyBinaryPieces } from "../../db/copy-binary-pieces.ts";
import { HEAD_BYTES } from "../chain/chain.ts";
import { FACTS_COLUMNS, type FactsOut, FIELD, factsBytesMax, putFacts } from "../chain/facts-bytes.ts";
import { createCustomerTable } from "../customer-table.ts";
import type { LedgerKey } from "../key/ledger-key.ts";
import { IS_EARNING } from "./ledger-checks.ts";

/** What one pass over all allotments found correct. The checks themselves have to examine the rest and name the faults. */
export interface AllotmentPass {
  /** The checks of versions, balances, `balance_after` and times. */
  readonly areHistoriesClean: boolean;
  readonly areChainsClean: boolean;
}

export interface HasherPlan {
  /** The number of customers. `add` takes places from 0 to below it. */
  readonly customers: number;
  /** 32 bytes; null: no chains are computed. */
  readonly chainKey: Uint8Array | null;
}

/** Hashes the facts of all allotments, for the chains of the customers and for the checkpoints' tree. */
export interface FactsHasher {
  start(plan: HasherPlan): void;
  /** Returns where to write the facts of the next allotment in order of time. There is room for `bytesMax`. */
  room(bytesMax: number): FactsOut;
  /** Takes the facts that were written there, their customer's place and their row, which is valid only during the call. */
  add(customer: number, row: BinaryRow): void;
  /** Waits while too much is still to be hashed. Throws if hashing failed. */
  drain(): Promise<void>;
  /** Returns the heads of the chains, `HEAD_BYTES` for each place, once everything is hashed. */
  end(): Promise<Buffer>;
}

const UUID_BYTES = 16;
const BALANCE_COLUMNS = [
  "customer_uid",
  "version",
  "ledger_points",
  "last_allotted_at",
  "active_at",
  "earned_at",
  "merged_into",
  "chained_version",
  "chain_head",
] as const;
const BALANCE = Object.fromEntries(BALANCE_COLUMNS.map((name, i) => [name, i])) as Readonly<
  Record<(typeof BALANCE_COLUMNS)[number], number>
>; // cast: the names of the list

/** The memory for a customer is about 100 bytes. A larger store is checked without the pass. */
const CUSTOMERS_MAX = 4_000_000;

const ALLOTMENTS = `select ${FACTS_COLUMNS.map((name) => `a.${name}`).join(", ")}, coalesce(${IS_EARNING}, false) as is_earning
from allotment a
order by a.allotted_at, a.uid`;
const EARNING = FACTS_COLUMNS.length;
const BALANCES = `select ${BALANCE_COLUMNS.join(", ")} from balance`;
const MERGED = `select ${BALANCE_COLUMNS.join(", ")} from balance where merged_into is not null`;
const COUNT = "select count(*)::integer as customers from balance";
// Rows are read in the order of an index on the time. The index does not sort rows of the same instant.
const PLAN =
  "set local statement_timeout = 0; set local enable_seqscan = off; set local max_parallel_workers_per_gather = 0";

/**
 * Reads every allotment once, in order of time, computes by customer what the checks of histories and chains compute, and compares it with the
 * balances. Runs in the open transaction of a connection, which must be a snapshot. `key` null: no chains. It finds only whether everything is
 * correct; the checks find the faults.
 */
export async function passAllotments(
  queryable: pg.Client,
  { key, hasher }: { readonly key: LedgerKey | null; readonly hasher: FactsHasher },
): Promise<AllotmentPass> {
  await queryable.query(PLAN);
  const { rows } = await queryable.query<{ customers: number }>(COUNT);
  const customers = rows[0]?.customers ?? 0;
  if (customers > CUSTOMERS_MAX) return { areHistoriesClean: false, areChainsClean: false };
  hasher.start({ customers, chainKey: key?.material.chainKey ?? null });
  const walk = startWalk(customers, hasher);
  const pieces = copyBinaryPieces(queryable, ALLOTMENTS, FACTS_COLUMNS.length + 1, (row) => step(walk, row));
  for await (const _ of pieces) await hasher.drain();
  const heads = await hasher.end();
  const merged = new Map<string, Times>();
  await copyBinary(queryable, MERGED, BALANCE_COLUMNS.length, (row) => addMerged(walk, merged, row));
  let [found, mismatches, chainMismatches] = [0, 0, 0];
  await copyBinary(queryable, BALANCES, BALANCE_COLUMNS.length, (row) => {
    const n = walk.table.find(row.bytes, row.starts[BALANCE.customer_uid] ?? 0);
    if (n !== null) found++;
    if (!isBalanceRight(walk, n, row, merged)) mismatches++;
    if (key !== null && !isChainRight(walk, heads, n, row)) chainMismatches++;
  });
  const isKnown = !walk.isOdd && found === walk.table.count();
  return {
    areHistoriesClean: isKnown && mismatches === 0,
    areChainsClean: isKnown && mismatches === 0 && chainMismatches === 0 && key?.isLinked === true,
  };
}

/** The state of all customers during the pass. Microseconds since 2000; NaN: none yet. */
interface Walk {
  readonly table: ReturnType<typeof createCustomerTable>;
  readonly hasher: FactsHasher;
  readonly versions: Float64Array;
  readonly balances: Float64Array;
  readonly lastAt: Float64Array;
  readonly activeAt: Float64Array;
  readonly earnedAt: Float64Array;
  /** Whether something was found that no correct ledger has. */
  isOdd: boolean;
}

function startWalk(customers: number, hasher: FactsHasher): Walk {
  const times = () => new Float64Array(customers).fill(Number.NaN);
  return {
    table: createCustomerTable(customers),
    hasher,
    versions: new Float64Array(customers),
    balances: new Float64Array(customers),
    lastAt: times(),
    activeAt: times(),
    earnedAt: times(),
    isOdd: false,
  };
}

function step(walk: Walk, row: BinaryRow): void {
  const { bytes, starts } = row;
  const n = walk.table.add(bytes, starts[FIELD.customer_uid] ?? 0);
  if (n === null || !putFacts(walk.hasher.room(factsBytesMax(row)), row)) {
    walk.isOdd = true;
    return;
  }
  const us = readNumber(row, FIELD.allotted_at);
  walk.hasher.add(n, row);
  if (!isNext(walk, n, row, us)) walk.isOdd = true;
  if (bytes[starts[FIELD.extends] ?? 0] === 1) walk.activeAt[n] = us;
  if (bytes[starts[EARNING] ?? 0] === 1 && Number.isNaN(walk.earnedAt[n])) walk.earnedAt[n] = us;
}

/** Returns whether the row is the customer's next version, is later than the one before, and has the balance that follows. Moves on to the row. */
function isNext({ versions, balances, lastAt }: Walk, n: number, row: BinaryRow, us: number): boolean {
  const version = readNumber(row, FIELD.version);
  const balance = readNumber(row, FIELD.balance_after);
  const isRight =
    version === (versions[n] ?? 0) + 1 &&
    balance === (balances[n] ?? 0) + readNumber(row, FIELD.point_value) &&
    balance >= 0 &&
    (version === 1 || us > (lastAt[n] ?? Number.NaN));
  versions[n] = version;
  balances[n] = balance;
  lastAt[n] = us;
  return isRight;
}

interface Times {
  readonly activeAt: number;
  readonly earnedAt: number;
}

/** Adds what a survivor has from a merged customer: the last activity and the first earning. */
function addMerged(walk: Walk, merged: Map<string, Times>, { bytes, starts }: BinaryRow): void {
  const n = walk.table.find(bytes, starts[BALANCE.customer_uid] ?? 0);
  if (n === null) return;
  const into = uidOf(bytes, starts[BALANCE.merged_into] ?? 0);
  const before = merged.get(into) ?? { activeAt: Number.NaN, earnedAt: Number.NaN };
  merged.set(into, {
    activeAt: known(Math.max, before.activeAt, walk.activeAt[n] ?? Number.NaN),
    earnedAt: known(Math.min, before.earnedAt, walk.earnedAt[n] ?? Number.NaN),
  });
}

function isBalanceRight(walk: Walk, n: number | null, row: BinaryRow, merged: ReadonlyMap<string, Times>): boolean {
  const own = (of: Float64Array, none: number) => (n === null ? none : (of[n] ?? none));
  const isSame = (field: number, value: number) => Object.is(timeOf(row, field), value);
  const isSum =
    readNumber(row, BALANCE.version) === own(walk.versions, 0) &&
    readNumber(row, BALANCE.ledger_points) === own(walk.balances, 0) &&
    isSame(BALANCE.last_allotted_at, own(walk.lastAt, Number.NaN));
  if (!isSum || (row.lengths[BALANCE.merged_into] ?? -1) >= 0) return isSum;
  const more = merged.size === 0 ? undefined : merged.get(uidOf(row.bytes, row.starts[BALANCE.customer_uid] ?? 0));
  const none = Number.NaN;
  return (
    isSame(BALANCE.active_at, known(Math.max, own(walk.activeAt, none), more?.activeAt ?? none)) &&
    isSame(BALANCE.earned_at, known(Math.min, own(walk.earnedAt, none), more?.earnedAt ?? none))
  );
}

/** Returns whether the chain ends at the last version, with the head computed from the facts. */
function isChainRight({ versions }: Walk, heads: Buffer, n: number | null, row: BinaryRow): boolean {
  const { bytes, starts, lengths } = row;
  const chained = readNumber(row, BALANCE.chained_version);
  const length = lengths[BALANCE.chain_head] ?? -1;
  if (n === null) return chained === 0 && length < 0;
  const start = starts[BALANCE.chain_head] ?? 0;
  return (
    chained === versions[n] &&
    length === HEAD_BYTES &&
    bytes.compare(heads, n * HEAD_BYTES, (n + 1) * HEAD_BYTES, start, start + HEAD_BYTES) === 0
  );
}

function timeOf(row: BinaryRow, field: number): number {
  return (row.lengths[field] ?? -1) < 0 ? Number.NaN : readNumber(row, field);
}

function uidOf(bytes: Buffer, start: number): string {
  return bytes.toString("latin1", start, start + UUID_BYTES);
}

/** Applies `pick` to two numbers, where NaN means none. */
function known(pick: (a: number, b: number) => number, a: number, b: number): number {
  return Number.isNaN(a) ? b : Number.isNaN(b) ? a : pick(a, b);
}
