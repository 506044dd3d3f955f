import type { Db, Tx } from "./pool.ts";

/** Returns the result of `work` in a transaction that is then rolled back: nothing of it is visible to others or kept. */
export async function rolledBack<T>(db: Pick<Db, "tx">, work: (tx: Tx) => Promise<T>): Promise<T> {
  const rollback = new Error("this transaction is rolled back on purpose");
  const done: { result: T }[] = [];
  try {
    await db.tx(async (tx) => {
      done.push({ result: await work(tx) });
      throw rollback;
    });
  } catch (error) {
    if (error !== rollback) throw error;
  }
  const last = done.at(-1);
  if (last === undefined) throw new Error("a transaction ended before its work did");
  return last.result;
}
