import type { Queryable, Tx } from "../db/pool.ts";
import { unnested } from "../db/unnested.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import type { MovedCustomer } from "./growth-share.ts";
import type { TierMove } from "./tier-months.ts";

const ROWS = unnested(["month integer", "from_uid uuid", "to_uid uuid", "bucket smallint", "customer_uid uuid"]);

const DROP = `delete from growth_moved m
using (${ROWS}) k
where m.month = k.month
  and m.from_uid = k.from_uid
  and m.to_uid = k.to_uid
  and m.bucket = k.bucket
  and m.customer_uid = k.customer_uid`;
const ADD = `insert into growth_moved (month, from_uid, to_uid, bucket, customer_uid, since)
${unnested(["month integer", "from_uid uuid", "to_uid uuid", "bucket smallint", "customer_uid uuid", "since integer"])}
on conflict do nothing`;

/** Removes customers from the lists of moves and adds others. The caller has locked the progress row. */
export async function writeMoved(
  tx: Tx,
  { gone, made }: { readonly gone: readonly MovedCustomer[]; readonly made: readonly MovedCustomer[] },
): Promise<void> {
  const columns = (rows: readonly MovedCustomer[]) => [
    rows.map(({ month }) => month),
    rows.map(({ from }) => from),
    rows.map(({ to }) => to),
    ...refKeys(rows),
  ];
  if (gone.length > 0) await tx.execute(DROP, columns(gone));
  if (made.length > 0) await tx.execute(ADD, [...columns(made), made.map(({ since }) => since)]);
}

/** A customer in a list of moves, in the form in which pages show one. */
export interface ListedMove extends Omit<MovedCustomer, "since"> {
  readonly customerId: string;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

/** Which moves to list, and where the page begins. */
export interface MovedQuery {
  /** In the order in which their customers are listed. */
  readonly moves: readonly Omit<TierMove, "customers">[];
  /** The page begins after this customer of the first move; null: with the first customer of that move. */
  readonly after: CustomerRef | null;
  readonly rows: number;
}

const BEFORE_FIRST: CustomerRef = { bucket: -1, customerUid: "00000000-0000-0000-0000-000000000000" };

// Reads for each move at most a page of the primary key, from the start of the page. A month has one move for each pair of tiers that was used.
const LISTED = `select m.month,
  m.from_uid as "from",
  m.to_uid as "to",
  m.bucket,
  m.customer_uid as "customerUid",
  c.storefront_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail"
from (
  select p.n, r.*
  from unnest($1::integer[], $2::uuid[], $3::uuid[], $4::smallint[], $5::uuid[]) with ordinality
    as p (month, from_uid, to_uid, bucket, customer_uid, n)
  cross join lateral (
    select *
    from growth_moved g
    where g.month = p.month
      and g.from_uid = p.from_uid
      and g.to_uid = p.to_uid
      and (g.bucket, g.customer_uid) > (p.bucket, p.customer_uid)
    order by g.bucket, g.customer_uid
    limit $6) r
  order by p.n, r.bucket, r.customer_uid
  limit $6) m
join customer c on c.bucket = m.bucket and c.customer_uid = m.customer_uid
order by m.n, m.bucket, m.customer_uid`;

/** A page of the customers of moves, sorted by move and then by customer. */
export function selectMovedCustomers(queryable: Queryable, { moves, after, rows }: MovedQuery): Promise<ListedMove[]> {
  const starts = moves.map((_, place) => (place === 0 && after !== null ? after : BEFORE_FIRST));
  return queryable.query<ListedMove>(LISTED, [
    moves.map(({ month }) => month),
    moves.map(({ from }) => from),
    moves.map(({ to }) => to),
    ...refKeys(starts),
    rows,
  ]);
}
