import type { Tx } from "../db/pool.ts";
import type { NamedLots } from "./lot-queries.ts";
import type { Draw, Lot } from "./lots.ts";

const READ_DRAWS = `select d.customer_uid as "customerUid",
  d.by_version as "byVersion",
  d.lot_version as version,
  d.part,
  d.points,
  d.lot_expires_at as "expiresAt",
  d.lot_since as since,
  d.lot_extends as extends,
  d.lot_origin as origin
from (
  select distinct *
  from unnest($1::smallint[], $2::uuid[], $3::bigint[]) as u (bucket, customer_uid, version)) w
join draw d on d.bucket = w.bucket and d.customer_uid = w.customer_uid and d.by_version = w.version
order by d.customer_uid, d.by_version, d.n`;

type DrawRow = Omit<Lot, "remaining"> & { customerUid: string; byVersion: bigint; points: bigint };

/** What deductions drew, in the order in which they did, by customer uid and version. */
export async function readDraws(tx: Tx, wanted: readonly NamedLots[]): Promise<Map<string, Map<bigint, Draw[]>>> {
  const found = new Map<string, Map<bigint, Draw[]>>();
  if (wanted.length === 0) return found;
  const rows = await tx.query<DrawRow>(READ_DRAWS, [
    wanted.map((w) => w.bucket),
    wanted.map((w) => w.customerUid),
    wanted.map((w) => w.version),
  ]);
  for (const { customerUid, byVersion, points, ...lot } of rows) {
    const ofCustomer = found.get(customerUid) ?? new Map<bigint, Draw[]>();
    found.set(customerUid, ofCustomer);
    const draws = ofCustomer.get(byVersion) ?? [];
    ofCustomer.set(byVersion, draws);
    draws.push({ lot: { ...lot, remaining: 0n }, points });
  }
  return found;
}
