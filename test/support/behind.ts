import type { Db, Tx } from "../../src/db/pool.ts";
import { waitUntil } from "./wait-until.ts";

const WAITING = `select distinct l.pid
from pg_locks l
join pg_stat_activity a using (pid)
where not l.granted
  and a.datname = current_database()`;

/** On a Citus, a session waits for a row of a distributed table on the row's worker. */
const WAITING_ANYWHERE = `select distinct waiting_gpid
from citus_lock_waits`;

/** Returns the sessions that wait for a lock. */
export async function listWaiting(db: Db): Promise<object[]> {
  const here = await db.query(WAITING);
  return (await db.isDistributed()) ? [...here, ...(await db.query(WAITING_ANYWHERE))] : here;
}

/** Calls `ask` while a transaction with the work is still open, so that it waits for the transaction; returns its result. */
export async function behind<T>(db: Db, work: (tx: Tx) => Promise<unknown>, ask: () => Promise<T>): Promise<T> {
  let answer: Promise<T> | undefined;
  await queueBehind(db, work, [
    () => {
      answer = ask();
      return answer;
    },
  ]);
  if (answer === undefined) throw new Error("nothing was asked");
  return answer;
}

/** Makes several calls while a transaction with the work is still open, each when the earlier ones wait, and awaits them all. */
export async function queueBehind(
  db: Db,
  work: (tx: Tx) => Promise<unknown>,
  asks: readonly (() => Promise<unknown>)[],
): Promise<void> {
  const asked: Promise<unknown>[] = [];
  await db.tx(async (tx) => {
    await work(tx);
    for (const ask of asks) {
      const answer = ask();
      answer.catch(() => {}); // the caller that awaits it gets the error
      asked.push(answer);
      await waitUntil(async () => (await listWaiting(db)).length >= asked.length);
    }
  });
  await Promise.all(asked);
}
