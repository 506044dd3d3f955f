import type { Queryable } from "../db/pool.ts";
import type { Resource } from "../platforms/shopify/admin/changed-resources.ts";

const SELECT = `select m.changed_at as "changedAt"
from platform_mark m
where m.resource = $1`;

/** How far changes were read; null: never. */
export async function selectMark(queryable: Queryable, resource: Resource): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ changedAt: Temporal.Instant }>(SELECT, [resource]);
  return row?.changedAt ?? null;
}

const SAVE = `insert into platform_mark as m (resource, changed_at)
values ($1, $2)
on conflict (resource) do update
set changed_at = greatest(m.changed_at, excluded.changed_at)`;

/** Changes up to here are taken; it never goes back. */
export async function saveMark(queryable: Queryable, resource: Resource, changedAt: Temporal.Instant): Promise<void> {
  await queryable.execute(SAVE, [resource, changedAt]);
}
