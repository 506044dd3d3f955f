import type { Queryable, Tx } from "../db/pool.ts";
import { AnotherRunError } from "./connect-error.ts";
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

/** The name of the mark from which on the history of a resource was read; its position is the run that reads it. */
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

const LOCK_BEGIN = `select
from platform_mark
where resource = $1
for update`;

const LOCK_OWN_BEGIN = `select
from platform_mark
where resource = $1
  and position = $2
for update`;

const CLAIM = `update platform_mark
set position = $2
where resource = $1`;

const SAVE_BEGIN = `insert into platform_mark (resource, changed_at, position)
values ($1, $2, $3)
on conflict (resource) do update
set changed_at = excluded.changed_at,
  position = excluded.position`;

const RESTART = `update platform_mark
set changed_at = $2,
  position = null
where resource = $1`;

/** A run that reads a history. */
export interface HistoryRun {
  /** The name of the mark of the history. */
  readonly mark: string;
  readonly uid: string;
}

/**
 * Saves that this run reads the history from `since` on, unless that is within the span that was read: what lies between two spans is not left out.
 * A run that began earlier can save nothing more.
 */
export async function beginHistory(tx: Tx, { mark, uid }: HistoryRun, since: Temporal.Instant): Promise<void> {
  const begin = beginMark(mark);
  await tx.query(LOCK_BEGIN, [begin]);
  if ((await tx.query(SELECT_COVERED, [mark, begin, since])).length > 0) {
    await tx.execute(CLAIM, [begin, uid]);
    return;
  }
  await tx.execute(SAVE_BEGIN, [begin, since, uid]);
  await tx.execute(RESTART, [mark, since]);
}

/**
 * Saves how far a run has read. Two runs that begin at different times would otherwise mix their positions, and leave out what lies between them.
 * @throws AnotherRunError if another run has begun since
 */
export async function saveHistoryMark(tx: Tx, { mark, uid }: HistoryRun, read: Mark): Promise<void> {
  const begun = await tx.query(LOCK_OWN_BEGIN, [beginMark(mark), uid]);
  if (begun.length === 0) throw new AnotherRunError();
  await saveMark(tx, mark, read);
}
