import { isLeaseOver, type LeasedRow, leaseSecondsLeft, leasesOf } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";

/** The right to work on an import, until it is lost by time. */
export interface ImportLease extends LeasedRow {
  /** This one and those before it, since something was done. */
  readonly attempts: number;
}

export const IMPORT_LEASE_S = 60;

const leasesWhere = (condition: string) =>
  leasesOf<ImportLease>({
    update: "update import",
    key: "uid",
    free: `select w.uid
  from import w
  where w.state in ('checking', 'importing', 'undoing')
    and ${condition}
    and (w.lease_until is null or ${isLeaseOver("w")})
  order by w.created_at`,
    columns: `l.uid,
  l.lease_uid as "leaseUid",
  l.attempts`,
    seconds: IMPORT_LEASE_S,
  });

/** Of files of ours. */
export const importLeases = leasesWhere("w.kind <> 'move'");

/** Of files of other apps: who works on one waits for the imports that it consists of. */
export const moveLeases = leasesWhere("w.kind = 'move'");

const SELECT_SECONDS = `select ${leaseSecondsLeft("i")} as seconds
from import i
where i.uid = $1
  and not ${isLeaseOver("i")}`;

/** In how many seconds the lease of an import runs out unless it is renewed; undefined: nobody has one. */
export async function selectLeaseSeconds(queryable: Queryable, uid: string): Promise<number | undefined> {
  return (await queryable.query<{ seconds: number }>(SELECT_SECONDS, [uid]))[0]?.seconds;
}
