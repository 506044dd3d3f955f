import pg from "pg";

/**
 * Returns the error to throw if what a transaction read was changed by another before it could lock it. Like a serialisation failure
 * (40001) of the database, it makes `Db.tx` run the work again.
 */
export function staleRead(message: string, cause?: unknown): Error {
  const error = new pg.DatabaseError(message, message.length, "error");
  error.code = "40001";
  error.cause = cause;
  return error;
}
