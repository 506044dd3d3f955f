import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import type { CsvImport } from "./csv-import.ts";
import type { ValidRow } from "./row-queries.ts";

// Orders and history of other files of the same app. Imports that were undone, or are being undone, do not count.

/** The app of a file that names none. */
const SOURCE = "CSV";

// A row without a date has the date of its import. A total spend in another app's file is something else (`selectMovedSpend`).
const SPENT = `select k.n
from unnest($1::smallint[], $2::uuid[], $3::timestamptz[], $4::integer[]) as k (bucket, customer_uid, as_of, n)
where exists (
  select
  from customer_spend_base b
  join import i on i.uid = b.import_uid
  where b.bucket = k.bucket
    and b.customer_uid = k.customer_uid
    and b.import_uid <> $5
    and b.as_of = coalesce(k.as_of, i.started_at)
    and i.state in ('importing', 'imported')
    and not coalesce((i.options ->> 'addsOnly')::boolean, false)
    and coalesce(i.options -> 'move' ->> 'source', i.options ->> 'source', '${SOURCE}') = $6)`;

const RECORDED = `select k.n
from unnest($1::smallint[], $2::uuid[], $3::timestamptz[], $4::integer[], $7::bigint[], $8::text[], $9::text[])
  as k (bucket, customer_uid, occurred_at, n, points, kind, note)
where exists (
  select
  from history_entry h
  join import i on i.uid = h.import_uid
  where h.bucket = k.bucket
    and h.customer_uid = k.customer_uid
    and h.occurred_at = k.occurred_at
    and h.import_uid <> $5
    and h.points = k.points
    and h.kind = k.kind
    and h.note is not distinct from k.note
    and h.source = $6
    and i.state in ('importing', 'imported'))`;

type FileOf = Pick<CsvImport, "uid" | "kind" | "options">;

/** Returns the app of a file's history or orders. */
export function activitySource({ options }: Pick<CsvImport, "options">): string {
  return options.move?.source ?? options.source ?? SOURCE;
}

/**
 * Returns the numbers of the rows of orders or history that another file of the app has already imported: spend of that customer at that time, or the
 * same entry. `holders`: the rows' present customers. Returns none for a file without an app, or if the person wants them again.
 */
export async function selectRecordedBefore(
  queryable: Queryable,
  file: FileOf,
  rows: readonly ValidRow[],
  holders: readonly CustomerRef[] = rows,
): Promise<ReadonlySet<number>> {
  const { uid, kind, options } = file;
  const isOfApp = options.move !== null || options.source !== null;
  const isAsked = isOfApp && (kind === "history" || (kind === "spend" && !options.again && !options.addsOnly));
  if (!isAsked || rows.length === 0) return NONE;
  const keys = [...refKeys(holders), rows.map(({ datedAt }) => datedAt), rows.map(({ n }) => n)];
  const of = [...keys, uid, activitySource(file)];
  const entries = [
    rows.map(({ pointValue }) => pointValue ?? 0n),
    rows.map(({ entry }) => entry),
    rows.map(({ note }) => note),
  ];
  const found = await (kind === "spend"
    ? queryable.query<{ n: number }>(SPENT, of)
    : queryable.query<{ n: number }>(RECORDED, [...of, ...entries]));
  return new Set(found.map(({ n }) => n));
}

const NONE: ReadonlySet<number> = new Set();
