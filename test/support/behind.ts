import type { Db, Tx } from "../../src/db/pool.ts";
import { waitUntil } from "./wait-until.ts";

const WAITING = `select distinct l.pid
from pg_locks l
join pg_stat_activity a using (pid)
where not l.granted
  and a.datname = current_database()`;

/** On a Citus a row of a distributed table is waited for on its worker. */
const WAITING_ANYWHERE = `select distinct waiting_gpid
from citus_lock_waits`;

/** Sessions that wait for a lock. */
export async function listWaiting(db: Db): Promise<object[]> {
  const here = await db.query(WAITING);
  return (await db.isDistributed()) ? [...here, ...(await db.query(WAITING_ANYWHERE))] : here;
}

/** What comes of asking while a transaction with the work is still open: it waits for it. */
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

/** Asks one after the other while a transaction with the work is still open, each when those before it wait, and awaits them all. */
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
      answer.catch(() => {}); // whoever awaits it sees it
      asked.push(answer);
      await waitUntil(async () => (await listWaiting(db)).length >= asked.length);
    }
  });
  await Promise.all(asked);
}
