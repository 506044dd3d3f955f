import pg from "pg";

/**
 * What a transaction throws when what it read has been changed by another before it could lock it: like a serialisation
 * failure (40001) of the database, it makes `Db.tx` run the work again.
 */
export function staleRead(message: string, cause?: unknown): Error {
  const error = new pg.DatabaseError(message, message.length, "error");
  error.code = "40001";
  error.cause = cause;
  return error;
}
