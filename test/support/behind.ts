import type { Db, Tx } from "../../src/db/pool.ts";
import { waitUntil } from "./wait-until.ts";

const WAITING = `select 1
from pg_locks l
join pg_stat_activity a using (pid)
where not l.granted
  and a.datname = current_database()`;

/** What comes of asking while a transaction with the work is still open: it waits for it. */
export async function behind<T>(db: Db, work: (tx: Tx) => Promise<unknown>, ask: () => Promise<T>): Promise<T> {
  const asked = await db.tx(async (tx) => {
    await work(tx);
    const answer = ask();
    answer.catch(() => {}); // whoever awaits it sees it
    await waitUntil(async () => (await db.query(WAITING)).length > 0);
    return { answer };
  });
  return asked.answer;
}
