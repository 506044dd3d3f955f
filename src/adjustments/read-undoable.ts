import type { Queryable } from "../db/pool.ts";
import { type CustomerRef, refOf } from "../ledger/customer-ref.ts";
import { readExpired } from "../ledger/expiry/read-expired.ts";
import { allotmentName, groupCarried, versionsOf } from "../ledger/merge/carried-lots.ts";
import { readHolders } from "../ledger/merge/merge-queries.ts";
import { readCarried } from "../ledger/merge/read-carried.ts";
import { Problem } from "../problems.ts";
import { MANUAL_KEY, type Undoable } from "./adjustment.ts";

const SELECT = `select a.uid,
  a.bucket,
  a.customer_uid as "customerUid",
  a.version,
  a.point_value as "pointValue",
  a.source_key as "sourceKey"
from allotment a
where a.uid = $1`;

type Row = Omit<Undoable, "ownVersions" | "expired"> & { readonly sourceKey: string };

/**
 * Returns an adjustment to undo, and who has its points now: its customer, or the one into whom that customer was merged. Throws `not_found`, and
 * `invalid` for other allotments and for an adjustment of 0.
 */
export async function readUndoable(
  queryable: Queryable,
  uid: string,
  now: Temporal.Instant,
): Promise<{ readonly undoable: Undoable; readonly holder: CustomerRef }> {
  const [row] = await queryable.query<Row>(SELECT, [uid]);
  if (row === undefined) throw new Problem("not_found");
  const { sourceKey, ...allotment } = row;
  if (!sourceKey.startsWith(MANUAL_KEY) || allotment.pointValue === 0n) {
    throw new Problem("invalid", {
      faults: [{ parameter: "uid", detail: "expected an adjustment of points that a person made" }],
    });
  }
  const [holders, carried, expiredOf] = await Promise.all([
    readHolders(queryable, [allotment]),
    readCarried(queryable, [allotment]),
    readExpired(queryable, allotment.pointValue > 0n ? [allotment] : [], now),
  ]);
  const expired = expiredOf.get(allotmentName(allotment)) ?? 0n;
  const holder = holders.get(allotment.customerUid) ?? refOf(allotment.customerUid);
  return {
    undoable: { ...allotment, ownVersions: versionsOf(allotment, holder, groupCarried(carried)), expired },
    holder,
  };
}
