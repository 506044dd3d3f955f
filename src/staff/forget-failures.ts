import type { Queryable } from "../db/pool.ts";

/** Ends the row of failures of a key: who was asked for has proved it. */
export async function forgetFailures(queryable: Queryable, key: string): Promise<void> {
  await queryable.execute("delete from sign_in_failure where key = $1", [key]);
}
