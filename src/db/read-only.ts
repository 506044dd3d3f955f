import pg from "pg";
import { type Db, READ_ONLY_STATE } from "./pool.ts";

const STATE = `
select current_setting('transaction_read_only') = 'on' as "isReadOnly"
from (select from migration limit 1) migrated`;

/**
 * Throws if the database does not answer, is not migrated, or accepts no writes. It runs as a transaction of the pool, so that a connection
 * to a database that accepts no writes is dropped.
 */
async function assertWritable(db: Db): Promise<void> {
  await db.tx(async (tx) => {
    const [row] = await tx.query<{ isReadOnly: boolean }>(STATE);
    if (row?.isReadOnly === false) return;
    const message = row === undefined ? "the database is not migrated" : "the database takes no writes";
    const error = new pg.DatabaseError(message, message.length, "error");
    error.code = READ_ONLY_STATE;
    throw error;
  });
}

/** Less than a probe waits: a database that is silent, not down, answers with neither. */
const ANSWER_MS = 4_000;

/** The database has not answered in time; nothing says that it is gone. */
export class SilentDatabaseError extends Error {
  override readonly name = "SilentDatabaseError";
}

/**
 * Returns a function that throws as `assertWritable` does, or a SilentDatabaseError after 4 seconds. However many calls wait, the database is asked over
 * one connection.
 */
export function writableCheck(db: Db): () => Promise<void> {
  let asking: Promise<void> | undefined;
  return async () => {
    asking ??= assertWritable(db).finally(() => {
      asking = undefined;
    });
    const { promise: late, reject } = Promise.withResolvers<never>();
    const silent = () => reject(new SilentDatabaseError(`the database has not answered for ${ANSWER_MS / 1_000} s`));
    const timer = setTimeout(silent, ANSWER_MS);
    try {
      await Promise.race([asking, late]);
    } finally {
      clearTimeout(timer);
    }
  };
}
