import type { Param } from "../db/encode-param.ts";
import type { Queryable } from "../db/pool.ts";
import type { AllotmentType } from "../ledger/allotment-types.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { AccountKind } from "../wire/account-kinds.ts";
import { ACCOUNT_KIND_OF, STORED_KIND_OF, UNDOES_IMPORT } from "./account-kind-of.ts";
import { type KindSum, tellUndone } from "./kind-sum.ts";

/** The number of allotments of a customer whose sums `saveBlocks` stores as one block. */
export const BLOCK_VERSIONS = 1_000;

// Uses the stored sums of complete blocks, and the single allotments before and after them. Sums are texts, because they may exceed a bigint.
const sumsOf = (condition: string) => `select a.type,
    ${STORED_KIND_OF} as kind,
    count(*) as count,
    coalesce(sum(a.point_value) filter (where a.point_value > 0), 0) as given,
    coalesce(sum(a.point_value) filter (where a.point_value < 0), 0) as taken
  from allotment a
  where a.bucket = $1
    and a.customer_uid = $2
    and ${condition}
  group by 1, 2`;

const SELECT_SUMS = `select s.type,
  s.kind,
  sum(s.count)::bigint as count,
  sum(s.given)::text as given,
  sum(s.taken)::text as taken
from (
  select k.type, k.kind, k.count, k.given, k.taken
  from account_block k
  where k.bucket = $1
    and k.customer_uid = $2
    and k.block >= $5
    and k.block < $6
  union all
  ${sumsOf(`a.version > $3 and a.version <= least($4, $5::bigint * ${BLOCK_VERSIONS})`)}
  union all
  ${sumsOf(`a.version > greatest($3, $6::bigint * ${BLOCK_VERSIONS}) and a.version <= $4`)}) s
group by s.type, s.kind
order by s.type, s.kind`;

const SELECT_KEPT = `select max(k.block) + 1 as kept
from account_block k
where k.bucket = $1
  and k.customer_uid = $2`;

/** A history of at most this many allotments is read for what no stored sum says: which orders there were, and what undoes an import. */
const COUNTED_VERSIONS = 5_000n;

const SELECT_UNDONE = `select u.type, u.kind, u.count, u.given::text as given, u.taken::text as taken
from (
  ${sumsOf(`a.version > $3 and a.version <= $4 and ${UNDOES_IMPORT}`)}) u`;

/** The versions of a customer after one, up to another. */
export interface VersionRange {
  readonly after: bigint;
  readonly upTo: bigint;
}

/** Reads the sums by type and kind of the allotments after one version, up to another. In a longer history what undoes an import counts as its kind. */
export async function selectSums(
  queryable: Queryable,
  customer: CustomerRef,
  versions: VersionRange,
): Promise<readonly KindSum[]> {
  const sums = await selectStoredSums(queryable, customer, versions);
  const { after, upTo } = versions;
  if (upTo - after > COUNTED_VERSIONS || !sums.some(({ type }) => type === "csv")) return sums;
  const params = [customer.bucket, customer.customerUid, after, upTo];
  return tellUndone(sums, await selectKindSums(queryable, SELECT_UNDONE, params));
}

async function selectStoredSums(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { after, upTo }: VersionRange,
): Promise<KindSum[]> {
  const [{ kept } = { kept: null }] = await queryable.query<{ kept: bigint | null }>(SELECT_KEPT, [
    bucket,
    customerUid,
  ]);
  const size = BigInt(BLOCK_VERSIONS);
  const from = (after + size - 1n) / size;
  const whole = upTo / size;
  const to = kept === null || kept < whole ? (kept ?? 0n) : whole;
  return selectKindSums(queryable, SELECT_SUMS, [bucket, customerUid, after, upTo, from, to > from ? to : from]);
}

async function selectKindSums(queryable: Queryable, text: string, params: readonly Param[]): Promise<KindSum[]> {
  type Row = Omit<KindSum, "given" | "taken"> & { readonly given: string; readonly taken: string };
  const rows = await queryable.query<Row>(text, params);
  return rows.map(({ given, taken, ...row }) => ({ ...row, given: BigInt(given), taken: BigInt(taken) }));
}

const COUNT_ORDERS = `select count(distinct a.parent) as orders
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version > $3
  and a.version <= $4
  and a.type in ('fulfillment', 'tax')`;

/** Returns how many orders gave points; null: the history is too long. */
export async function countOrders(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { after, upTo }: VersionRange,
): Promise<bigint | null> {
  if (upTo - after > COUNTED_VERSIONS) return null;
  const rows = await queryable.query<{ orders: bigint }>(COUNT_ORDERS, [bucket, customerUid, after, upTo]);
  return rows[0]?.orders ?? 0n;
}

const SELECT_OPENING = `select a.version,
  a.balance_after as points
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.allotted_at <= $3
order by a.version desc
limit 1`;

/** Returns the ledger's balance at a moment, and its version. */
export async function selectOpening(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  at: Temporal.Instant,
): Promise<{ readonly version: bigint; readonly points: bigint }> {
  const rows = await queryable.query<{ version: bigint; points: bigint }>(SELECT_OPENING, [bucket, customerUid, at]);
  return rows[0] ?? { version: 0n, points: 0n };
}

/** The allotment that opened a lot. */
export interface LotSource {
  readonly version: bigint;
  readonly uid: string;
  readonly type: AllotmentType;
  readonly kind: AccountKind;
  readonly pointValue: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly object: string | null;
  readonly parent: string | null;
}

const SELECT_SOURCES = `select a.version,
  a.uid,
  a.type,
  ${ACCOUNT_KIND_OF} as kind,
  a.point_value as "pointValue",
  a.allotted_at as "allottedAt",
  a.object,
  a.parent
from allotment a
where a.bucket = $1
  and a.customer_uid = $2
  and a.version = any($3)`;

export async function selectSources(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  versions: readonly bigint[],
): Promise<ReadonlyMap<bigint, LotSource>> {
  if (versions.length === 0) return new Map();
  const rows = await queryable.query<LotSource>(SELECT_SOURCES, [bucket, customerUid, versions]);
  return new Map(rows.map((row) => [row.version, row]));
}

/** An order's spend in a window. */
export interface OrderSpend {
  readonly orderId: string;
  readonly creditedAt: Temporal.Instant;
  readonly minor: bigint;
}

const ORDERS_MAX = 250;

const SELECT_SPEND = `select s.order_id as "orderId",
  s.credited_at as "creditedAt",
  s.spend_minor as minor
from order_spend s
where s.bucket = $1
  and s.customer_uid = $2
  and s.credited_at >= $3
  and s.credited_at < $4
order by s.credited_at, s.order_id
limit ${ORDERS_MAX}`;

/** Returns the orders that count toward a tier between two instants, oldest first. */
export function selectSpendOrders(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  { start, end }: { readonly start: Temporal.Instant; readonly end: Temporal.Instant },
): Promise<OrderSpend[]> {
  return queryable.query<OrderSpend>(SELECT_SPEND, [bucket, customerUid, start, end]);
}
