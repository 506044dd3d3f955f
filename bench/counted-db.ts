import type { Db, Queryable, Tx } from "../src/db/pool.ts";

export interface DbCounts {
  statements: number;
  /** Attempts that were begun, including those that start over. */
  transactions: number;
}

/** Wraps a pool and counts its statements, except `begin` and `commit`, and its transactions. */
export function countedDb(db: Db): { readonly db: Db; readonly counts: DbCounts } {
  const counts = { statements: 0, transactions: 0 };
  const counted = {
    ...db,
    ...countedStatements(db, counts),
    tx: <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
      db.tx((tx) => {
        counts.transactions += 1;
        return work({ ...tx, ...countedStatements(tx, counts) });
      }),
  };
  return { db: counted, counts };
}

function countedStatements(queryable: Queryable, counts: DbCounts): Queryable {
  return {
    query(text, params) {
      counts.statements += 1;
      return queryable.query(text, params);
    },
    execute(text, params) {
      counts.statements += 1;
      return queryable.execute(text, params);
    },
    isDistributed: () => queryable.isDistributed(),
  };
}
