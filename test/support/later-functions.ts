import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

const LIST = join(import.meta.dirname, "..", "fixtures", "functions-after-postgresql-15.txt");

/** Functions of the tests' server that the oldest supported PostgreSQL lacks, each with its parameter types. */
export const LATER_FUNCTIONS: readonly string[] = readFileSync(LIST, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/**
 * Revokes these functions, and the casts and operators based on them, from everybody but superusers. A statement of the service that needs one then
 * fails in the tests, as on PostgreSQL 15.
 */
export async function closeLaterFunctions(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(
      LATER_FUNCTIONS.map((name) => `revoke execute on routine pg_catalog.${name} from public`).join(";"),
    );
  } finally {
    await client.end();
  }
}
