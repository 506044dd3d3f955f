import type { Queryable } from "../db/pool.ts";
import type { Resource } from "../platforms/shopify/admin/changed-resources.ts";

const SELECT_MARK = `select m.changed_at as "changedAt"
from platform_mark m
where m.resource = $1`;

/** How far changes were read; null: never. */
export async function selectMark(queryable: Queryable, mark: string): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ changedAt: Temporal.Instant }>(SELECT_MARK, [mark]);
  return row?.changedAt ?? null;
}

const SAVE_MARK = `insert into platform_mark as m (resource, changed_at)
values ($1, $2)
on conflict (resource) do update
set changed_at = greatest(m.changed_at, excluded.changed_at)`;

/** Changes up to here are taken; it never goes back. */
export async function saveMark(queryable: Queryable, mark: string, changedAt: Temporal.Instant): Promise<void> {
  await queryable.execute(SAVE_MARK, [mark, changedAt]);
}

/** The mark of how far the history of a resource was read. */
export const historyMark = (resource: Resource) => `history of ${resource}`;

/** How far the history was read, or where it begins. */
export async function selectHistoryFrom(
  queryable: Queryable,
  resource: Resource,
  since: Temporal.Instant,
): Promise<Temporal.Instant> {
  const mark = await selectMark(queryable, historyMark(resource));
  return mark !== null && Temporal.Instant.compare(mark, since) > 0 ? mark : since;
}
