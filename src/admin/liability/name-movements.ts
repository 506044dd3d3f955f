import type { ReadDeps } from "../../deps.ts";
import { readOrderNames } from "../../explain/read-order-names.ts";
import type { MovementRow } from "../../liability/list-movements.ts";

/** A movement with the names by which people know its customer and what moved it. */
export interface NamedMovement extends MovementRow {
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly parent: string | null;
  readonly object: string | null;
  readonly appReference: string;
  readonly orderName: string | null;
}

type Names = Omit<NamedMovement, keyof MovementRow | "orderName"> & { readonly uid: string };

// materialized: on a Citus, customers are on one node and allotments on all, and a plain join would send all customers to each of them
const SELECT_NAMES = `with a as materialized (
  select bucket, customer_uid, uid, parent, object, app_reference
  from allotment
  where uid = any($1::uuid[]))
select a.uid,
  a.parent,
  a.object,
  a.app_reference as "appReference",
  c.name as "customerName",
  c.email as "customerEmail"
from a
left join customer c on c.bucket = a.bucket and c.customer_uid = a.customer_uid`;

/** Adds the names of customers and orders to a page of movements. */
export async function nameMovements(
  deps: Pick<ReadDeps, "db">,
  rows: readonly MovementRow[],
): Promise<readonly NamedMovement[]> {
  const names = await deps.db.query<Names>(SELECT_NAMES, [rows.map(({ uid }) => uid)]);
  const orders = await readOrderNames(deps.db, names);
  const byUid = new Map(names.map((name) => [name.uid, name]));
  return rows.flatMap((row) => {
    const name = byUid.get(row.uid);
    return name === undefined ? [] : [{ ...row, ...name, orderName: orders.get(row.uid)?.orderName ?? null }];
  });
}
