import pg from "pg";
import { type Db, READ_ONLY_STATE } from "./pool.ts";

const STATE = `
select current_setting('transaction_read_only') = 'on' as "isReadOnly"
from (select from migration limit 1) migrated`;

/**
 * Throws if the database does not answer, is not migrated, or accepts no writes. It runs as a transaction of the pool, so that a connection
 * to a database that accepts no writes is dropped.
 */
export async function assertWritable(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    const [row] = await tx.query<{ isReadOnly: boolean }>(STATE);
    if (row?.isReadOnly === false) return;
    const message = row === undefined ? "the database is not migrated" : "the database takes no writes";
    const error = new pg.DatabaseError(message, message.length, "error");
    error.code = READ_ONLY_STATE;
    throw error;
  });
}
