import type { Queryable, Tx } from "../../db/pool.ts";
import type { ViewList } from "../../wire/saved-views.ts";

export interface SavedView {
  readonly uid: string;
  readonly staffUid: string;
  readonly list: ViewList;
  readonly name: string;
  readonly filters: Readonly<Record<string, string>>;
  readonly isShared: boolean;
}

export interface ListedView extends SavedView {
  /** The person who saved it. */
  readonly by: string;
}

/** The view with which a person's navigation opens a list. */
export type DefaultView = Pick<SavedView, "list" | "uid" | "filters">;

const COLUMNS = `v.uid, v.staff_uid as "staffUid", v.list, v.name, v.filters, v.is_shared as "isShared"`;

/** Returns a person's own views of a list and the shared ones, by name. */
export async function selectViews(queryable: Queryable, list: ViewList, staffUid: string): Promise<ListedView[]> {
  return queryable.query<ListedView>(
    `select ${COLUMNS}, coalesce(s.name, '') as by
     from saved_view v
     left join staff s on s.uid = v.staff_uid
     where v.list = $1 and (v.is_shared or v.staff_uid = $2)
     order by v.is_shared, lower(v.name), v.uid`,
    [list, staffUid],
  );
}

/** Counts views. No other transaction can save one until this one ends, so that the counts stay true. */
export async function countViewsLocked(tx: Tx, staffUid: string): Promise<{ own: bigint; shared: bigint }> {
  await tx.query("select pg_advisory_xact_lock(hashtextextended('pointkeeper saved views', 0))");
  const [row] = await tx.query<{ own: bigint; shared: bigint }>(
    `select count(*) filter (where not is_shared and staff_uid = $1) as own, count(*) filter (where is_shared) as shared
     from saved_view`,
    [staffUid],
  );
  return row ?? { own: 0n, shared: 0n };
}

export async function insertView(tx: Tx, view: SavedView, now: Temporal.Instant): Promise<void> {
  await tx.execute(
    `insert into saved_view (uid, staff_uid, list, name, filters, is_shared, created_at)
     values ($1, $2, $3, $4, $5::text::jsonb, $6, $7)`,
    [view.uid, view.staffUid, view.list, view.name, JSON.stringify(view.filters), view.isShared, now],
  );
}

export async function lockView(tx: Tx, uid: string): Promise<SavedView | undefined> {
  const [row] = await tx.query<SavedView>(`select ${COLUMNS} from saved_view v where v.uid = $1 for update`, [uid]);
  return row;
}

export async function updateView(tx: Tx, uid: string, view: Pick<SavedView, "name" | "filters">): Promise<void> {
  await tx.execute("update saved_view set name = $2, filters = $3::text::jsonb where uid = $1", [
    uid,
    view.name,
    JSON.stringify(view.filters),
  ]);
}

export async function deleteView(tx: Tx, uid: string): Promise<void> {
  await tx.execute("delete from saved_view where uid = $1", [uid]);
}

export async function selectDefaultViews(queryable: Queryable, staffUid: string): Promise<DefaultView[]> {
  return queryable.query<DefaultView>(
    `select d.list, v.uid, v.filters
     from default_view d
     join saved_view v on v.uid = d.view_uid
     where d.staff_uid = $1
     order by d.list`,
    [staffUid],
  );
}

/** Stores a locked view as a person's default of its list, in place of another. */
export async function writeDefaultView(
  tx: Tx,
  { list, uid }: Pick<SavedView, "list" | "uid">,
  staffUid: string,
): Promise<void> {
  await tx.execute(
    `insert into default_view (staff_uid, list, view_uid)
     values ($1, $2, $3)
     on conflict (staff_uid, list) do update set view_uid = excluded.view_uid`,
    [staffUid, list, uid],
  );
}

/** Ends that a view is a person's default; another one stays. */
export async function deleteDefaultView(queryable: Queryable, uid: string, staffUid: string): Promise<void> {
  await queryable.execute("delete from default_view where staff_uid = $1 and view_uid = $2", [staffUid, uid]);
}
