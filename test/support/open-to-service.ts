import pg from "pg";
import { EMBEDDED_ROLE } from "../../src/db/roles/grant-service-role.ts";

/** Lets the service's role use what tests create beside the schema, for example a table that a trigger writes. */
export async function openToService(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    for (const kind of ["tables", "sequences"])
      await client.query(`alter default privileges in schema public grant all on ${kind} to ${EMBEDDED_ROLE.name}`);
  } finally {
    await client.end();
  }
}
