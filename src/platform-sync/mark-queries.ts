import type { Queryable, Tx } from "../db/pool.ts";
import type { HistoryPort, HistoryStart, Resource } from "./platform-port.ts";

/** How far a resource was read. */
export interface Mark {
  readonly changedAt: Temporal.Instant;
  /** Where reading continues, in the platform's own form; null: from `changedAt`. */
  readonly position: string | null;
}

const SELECT_MARK = `select m.changed_at as "changedAt",
  m.position
from platform_mark m
where m.resource = $1`;

/** How far the resource was read; null where it never was. */
export async function selectMark(queryable: Queryable, mark: string): Promise<Mark | null> {
  const [row] = await queryable.query<Mark>(SELECT_MARK, [mark]);
  return row ?? null;
}

const SAVE_MARK = `insert into platform_mark as m (resource, changed_at, position)
values ($1, $2, $3)
on conflict (resource) do update
set changed_at = greatest(m.changed_at, excluded.changed_at),
  position = excluded.position`;

/** Saves that everything up to this mark is processed; the time of a mark never moves back. */
export async function saveMark(queryable: Queryable, mark: string, { changedAt, position }: Mark): Promise<void> {
  await queryable.execute(SAVE_MARK, [mark, changedAt, position]);
}

/** The name of the mark up to which the daily changes of a resource were read. */
export const changesMark = ({ markPrefix }: HistoryPort, resource: Resource) => `${markPrefix}${resource}`;

/** The name of the mark up to which the history of a resource was read. */
export const historyMark = ({ markPrefix }: HistoryPort, resource: Resource) => `${markPrefix}history of ${resource}`;

/** The name of the mark from which on the history of a resource was read. */
const beginMark = (mark: string) => `${mark} from`;

const SELECT_COVERED = `select m.changed_at as "changedAt",
  m.position
from platform_mark m
join platform_mark b on b.resource = $2 and b.changed_at <= $3
where m.resource = $1
  and m.changed_at >= $3`;

/** The position up to which the history was read, or its beginning where `since` is before or after the span that was read. */
export async function selectHistoryStart(
  queryable: Queryable,
  mark: string,
  since: Temporal.Instant,
): Promise<HistoryStart> {
  const [read] = await queryable.query<Mark>(SELECT_COVERED, [mark, beginMark(mark), since]);
  if (read === undefined) return { since, position: null };
  return { since: read.changedAt, position: read.position };
}

const SAVE_BEGIN = `insert into platform_mark (resource, changed_at)
values ($1, $2)
on conflict (resource) do update
set changed_at = excluded.changed_at`;

const RESTART = `update platform_mark
set changed_at = $2,
  position = null
where resource = $1`;

/** Saves that the history is read from `since` on, unless that is within the span that was read: what lies between two spans is not left out. */
export async function beginHistory(tx: Tx, mark: string, since: Temporal.Instant): Promise<void> {
  if ((await tx.query(SELECT_COVERED, [mark, beginMark(mark), since])).length > 0) return;
  await tx.execute(SAVE_BEGIN, [beginMark(mark), since]);
  await tx.execute(RESTART, [mark, since]);
}
