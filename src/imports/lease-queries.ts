import { isLeaseOver, type LeasedRow, leasesOf } from "../db/lease.ts";

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
