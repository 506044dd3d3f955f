import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

const LIST = join(import.meta.dirname, "..", "fixtures", "functions-after-postgresql-15.txt");

/** The functions of the tests' server that the oldest supported PostgreSQL lacks, each with the types of its parameters. */
export const LATER_FUNCTIONS: readonly string[] = readFileSync(LIST, "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));

/**
 * Takes these functions, and the casts and operators made of them, from everybody but superusers. Statements of the service that need one
 * fail in the tests then, as they would on a PostgreSQL 15.
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
