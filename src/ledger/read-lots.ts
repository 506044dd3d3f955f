import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "./customer-ref.ts";
import type { Lot } from "./lots.ts";
import type { LotWindow } from "./posting.ts";

const LOT_COLUMNS = `l.version,
    l.part,
    l.remaining,
    l.expires_at as "expiresAt",
    l.since,
    l.extends,
    l.origin`;

const READ_WINDOWS = `select w.i::int, 'dated' as kind, l.*
from unnest($1::smallint[], $2::uuid[]) with ordinality as w (bucket, customer_uid, i)
cross join lateral (
  select ${LOT_COLUMNS}
  from lot l
  where l.bucket = w.bucket and l.customer_uid = w.customer_uid and l.expires_at < 'infinity'
  order by l.bucket, l.customer_uid, l.expires_at, l.since, l.version, l.part
  limit $3) l
union all
select w.i::int, 'undated' as kind, l.*
from unnest($1::smallint[], $2::uuid[]) with ordinality as w (bucket, customer_uid, i)
cross join lateral (
  select ${LOT_COLUMNS}
  from lot l
  where l.bucket = w.bucket and l.customer_uid = w.customer_uid and l.expires_at = 'infinity'
  order by l.bucket, l.customer_uid, l.expires_at, l.since, l.version, l.part
  limit $3) l`;

const READ_NAMED = `select w.i::int, 'named' as kind,
    ${LOT_COLUMNS}
from unnest($1::smallint[], $2::uuid[], $3::bigint[]) with ordinality as w (bucket, customer_uid, version, i)
join lot l on l.bucket = w.bucket and l.customer_uid = w.customer_uid and l.version = w.version`;

type LotRow = Lot & { i: number; kind: "dated" | "undated" | "named" };

/** Lots wanted by name: those that version `version` of a customer opened. */
export interface NamedLots extends CustomerRef {
  readonly version: bigint;
}

/**
 * The first `size` lots of each kind of each customer, in burn order, and the named ones. The customers' balances must be
 * locked. Answers windows by customer uid.
 */
export async function readLots(
  tx: Tx,
  refs: readonly CustomerRef[],
  named: readonly NamedLots[],
  size: number,
): Promise<Map<string, LotWindow>> {
  if (refs.length === 0) return new Map();
  const [rows, namedRows] = await Promise.all([
    tx.query<LotRow>(READ_WINDOWS, [refs.map((r) => r.bucket), refs.map((r) => r.customerUid), size + 1]),
    named.length === 0
      ? []
      : tx.query<LotRow>(READ_NAMED, [
          named.map((n) => n.bucket),
          named.map((n) => n.customerUid),
          named.map((n) => n.version),
        ]),
  ]);
  const windows = refs.map((): Record<"dated" | "undated" | "named", Lot[]> => ({ dated: [], undated: [], named: [] }));
  for (const row of rows) if (row.kind !== "named") windows[row.i - 1]?.[row.kind].push(toLot(row));
  const indexOf = new Map(refs.map((ref, index) => [ref.customerUid, index]));
  for (const row of namedRows) {
    const owner = named[row.i - 1]?.customerUid ?? "";
    windows[indexOf.get(owner) ?? -1]?.named.push(toLot(row));
  }
  return new Map(windows.map((window, index) => [refs[index]?.customerUid ?? "", cut(window, size)]));
}

function toLot({ version, part, remaining, expiresAt, since, extends: extendsExpiry, origin }: LotRow): Lot {
  return { version, part, remaining, expiresAt, since, extends: extendsExpiry, origin };
}

function cut(window: { dated: Lot[]; undated: Lot[]; named: Lot[] }, size: number): LotWindow {
  return {
    dated: window.dated.slice(0, size),
    datedMore: window.dated.length > size,
    undated: window.undated.slice(0, size),
    undatedMore: window.undated.length > size,
    named: window.named,
  };
}
