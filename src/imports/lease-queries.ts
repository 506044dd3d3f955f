import { isLeaseOver, type LeasedRow, leaseSecondsLeft, leasesOf } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";

/** The right to work on an import, until it expires. */
export interface ImportLease extends LeasedRow {
  /** The number of attempts, including this one, since the last progress. */
  readonly attempts: number;
}

export const IMPORT_LEASE_S = 60;
/** Seconds; neither a lease nor a pause after a failure is that long. */
const LONGEST_S = 3_600;

const leasesWhere = (condition: string) =>
  leasesOf<ImportLease>({
    update: "update import",
    key: "uid",
    free: `select w.uid
  from import w
  where w.state in ('checking', 'importing', 'undoing')
    and ${condition}
    and (w.lease_until is null or ${isLeaseOver("w", LONGEST_S)})
  order by w.created_at`,
    columns: `l.uid,
  l.lease_uid as "leaseUid",
  l.attempts`,
    seconds: IMPORT_LEASE_S,
  });

/** Leases of files in the service's own formats. */
export const importLeases = leasesWhere("w.kind <> 'move'");

/** Leases of other apps' files, whose worker waits for the imports that they consist of. */
export const moveLeases = leasesWhere("w.kind = 'move'");

const SELECT_SECONDS = `select ${leaseSecondsLeft("i")} as seconds
from import i
where i.uid = $1
  and not ${isLeaseOver("i", LONGEST_S)}`;

/** Returns in how many seconds an import's lease expires unless it is renewed; undefined: there is none. */
export async function selectLeaseSeconds(queryable: Queryable, uid: string): Promise<number | undefined> {
  return (await queryable.query<{ seconds: number }>(SELECT_SECONDS, [uid]))[0]?.seconds;
}
