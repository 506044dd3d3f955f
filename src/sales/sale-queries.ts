import { big, listCodec, record, textCodec } from "../db/json-codec.ts";
import type { Queryable, Tx } from "../db/pool.ts";
import { unnested } from "../db/unnested.ts";
import { refOf } from "../ledger/customer-ref.ts";
import type { CollectionPart, RunPart, Sale } from "./sale.ts";

/** How far the sales are counted. */
export interface SalesProgress {
  /** The id up to which a walk has counted all orders; null where no walk is running. */
  readonly walkedTo: string | null;
  readonly programVersion: number;
  readonly countedAt: Temporal.Instant | null;
}

const STANDING = `select walked_to as "walkedTo",
  program_version as "programVersion",
  counted_at as "countedAt"
from sale_standing`;

export async function selectSalesProgress(queryable: Queryable): Promise<SalesProgress> {
  return only(await queryable.query<SalesProgress>(STANDING));
}

/** Reads the progress row and locks it for the transaction that may count. */
export async function lockSalesProgress(tx: Tx): Promise<SalesProgress> {
  return only(await tx.query<SalesProgress>(`${STANDING} for update`));
}

function only([progress]: readonly SalesProgress[]): SalesProgress {
  if (progress === undefined) throw new Error("sale_standing has no row: its migration makes it");
  return progress;
}

const UPDATE_STANDING = `update sale_standing
set walked_to = $1,
  program_version = $2,
  counted_at = $3`;

export function updateSalesProgress(tx: Tx, { walkedTo, programVersion, countedAt }: SalesProgress) {
  return tx.execute(UPDATE_STANDING, [walkedTo, programVersion, countedAt]);
}

// An array, because the planner chooses a join by the statistics, which mostly show the table as empty.
const TAKE = `delete from sale_change
where uid = any(array(
  select uid
  from sale_change
  limit $1))
returning order_id as "orderId"`;

/** Takes orders from the queue of changes; a row whose transaction has not committed yet is left for later. */
export async function dequeueOrders(tx: Tx, rows: number): Promise<string[]> {
  return (await tx.query<{ orderId: string }>(TAKE, [rows])).map(({ orderId }) => orderId);
}

const WALK = `select order_id as "orderId"
from store_order
where order_id > $1
order by order_id
limit $2`;

export async function selectWalkedOrders(tx: Tx, after: string, rows: number): Promise<string[]> {
  return (await tx.query<{ orderId: string }>(WALK, [after, rows])).map(({ orderId }) => orderId);
}

/** A stored order, in JSON as stored; one without rules has not been processed by the transaction that wrote it. */
export interface CountedOrderRow {
  readonly orderId: string;
  readonly customerUid: string | null;
  readonly at: Temporal.Instant;
  readonly facts: unknown;
  readonly rules: unknown;
  readonly points: bigint;
  readonly awarded: bigint;
}

const ORDERS = `select o.order_id as "orderId",
  o.customer_uid as "customerUid",
  o.processed_at as at,
  o.facts,
  o.rules,
  o.awardable_points as points,
  o.awarded_points as awarded
from unnest($1::text[]) as w (order_id)
join store_order o on o.order_id = w.order_id
where o.rules is not null`;

export function selectCountedOrders(queryable: Queryable, orderIds: readonly string[]): Promise<CountedOrderRow[]> {
  return queryable.query<CountedOrderRow>(ORDERS, [orderIds]);
}

const runPart = record<RunPart>({ run: textCodec, revenue: big, points: big, extra: big });
const collectionPart = record<CollectionPart>({ collectionId: textCodec, revenue: big });
const partsOf = record<Pick<Sale, "runs" | "collections">>({
  runs: listCodec(runPart),
  collections: listCodec(collectionPart),
});

interface SaleRow {
  readonly orderId: string;
  readonly customerUid: string | null;
  readonly at: Temporal.Instant;
  readonly tierUid: string;
  readonly revenue: string;
  readonly points: bigint;
  readonly awarded: bigint;
  readonly parts: unknown;
}

const SALE_COLUMNS = `s.order_id as "orderId",
  s.customer_uid as "customerUid",
  s.at,
  s.tier_uid as "tierUid",
  s.revenue::text as revenue,
  s.points,
  s.awarded,
  s.parts`;

const SALES = `select ${SALE_COLUMNS}
from unnest($1::text[]) as w (order_id)
join sale s on s.order_id = w.order_id`;

/** What orders are counted as, by order; an order that is not counted is missing. */
export async function selectSales(
  queryable: Queryable,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, Sale>> {
  const rows = await queryable.query<SaleRow>(SALES, [orderIds]);
  return new Map(rows.map((row) => [row.orderId, toSale(row)]));
}

function toSale({ parts, customerUid, revenue, ...row }: SaleRow): Sale {
  const customer = customerUid === null ? null : refOf(customerUid);
  return { ...row, customer, revenue: BigInt(revenue), ...partsOf.decode(parts) };
}

/** A text that is equal exactly for equal sales. */
export function saleText(sale: Sale | null): string {
  if (sale === null) return "nothing";
  const { customer, at, tierUid, revenue, points, awarded, runs, collections } = sale;
  const parts = JSON.stringify(partsOf.encode({ runs, collections }));
  return [customer?.customerUid ?? "guest", at, tierUid, revenue, points, awarded, parts].join(" ");
}

const KEEP = `insert into sale as s (order_id, bucket, customer_uid, at, tier_uid, revenue, points, awarded, parts)
select order_id, bucket, customer_uid, at, tier_uid, revenue::numeric, points, awarded, parts::jsonb
from (${unnested([
  "order_id text",
  "bucket smallint",
  "customer_uid uuid",
  "at timestamptz",
  "tier_uid uuid",
  "revenue text",
  "points bigint",
  "awarded bigint",
  "parts text",
])}) u
on conflict (order_id) do update
set bucket = excluded.bucket,
  customer_uid = excluded.customer_uid,
  at = excluded.at,
  tier_uid = excluded.tier_uid,
  revenue = excluded.revenue,
  points = excluded.points,
  awarded = excluded.awarded,
  parts = excluded.parts`;

const FORGET = "delete from sale where order_id = any($1)";

export async function writeSales(tx: Tx, sales: readonly Sale[], gone: readonly string[]): Promise<void> {
  await Promise.all([
    tx.execute(KEEP, [
      sales.map(({ orderId }) => orderId),
      sales.map(({ customer }) => customer?.bucket ?? null),
      sales.map(({ customer }) => customer?.customerUid ?? null),
      sales.map(({ at }) => at),
      sales.map(({ tierUid }) => tierUid),
      sales.map(({ revenue }) => `${revenue}`),
      sales.map(({ points }) => points),
      sales.map(({ awarded }) => awarded),
      sales.map(({ runs, collections }) => JSON.stringify(partsOf.encode({ runs, collections }))),
    ]),
    tx.execute(FORGET, [gone]),
  ]);
}
