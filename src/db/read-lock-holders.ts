import type pg from "pg";
import { BLOCKER_COLUMNS, type Blocker } from "./watch-blockers.ts";

const HOLDERS = `
select ${BLOCKER_COLUMNS}
from pg_locks l
join pg_stat_activity a on a.pid = l.pid
where l.locktype = 'advisory'
  and l.granted
  and l.database = (select oid from pg_database where datname = current_database())
  and l.classid = $1
  and l.objid = $2
order by a.pid`;

/** Returns the other sessions of this database that hold an advisory lock with two numbers. */
export async function readLockHolders(client: pg.Client, lock: readonly [number, number]): Promise<readonly Blocker[]> {
  return (await client.query<Blocker>(HOLDERS, [...lock])).rows;
}
