import { externalConnection } from "../../db/connection.ts";
import { withClient } from "../../db/with-client.ts";
import { failureLine } from "../../start/failure-line.ts";
import { readExcess } from "../../start/read-excess.ts";
import type { Check, DatabaseContext, Finding } from "./check.ts";

/** Checks of the roles of an external database. */
export const ROLE_CHECKS: readonly Check<DatabaseContext>[] = [
  { name: "role", run: checkRole },
  { name: "migration role", run: checkMigrationRole },
];

async function checkRole({ deps, database }: DatabaseContext): Promise<Finding | null> {
  if (deps.config.databaseUrl === undefined) return null; // the embedded server's own
  const [role] = await deps.db.query<{ name: string; isSuper: boolean }>(
    `select current_user as name, rolsuper as "isSuper" from pg_roles where rolname = current_user`,
  );
  if (role === undefined) throw new Error("the database answered no row");
  const todo = "Give the service a role of its own (docs/operations.md, Database roles).";
  if (role.isSuper) {
    const says = `${role.name} is a superuser: it may do more than the service needs`;
    return { state: "warn", says, todo };
  }
  if ((await readExcess(database.connection)).length > 0)
    return { state: "warn", says: `${role.name} may change the ledger's history`, todo };
  return { state: "ok", says: `${role.name}, which is no superuser and cannot change the ledger's history` };
}

/** The same for both URLs of one store; as a number, because the text of a time depends on the session's time zone. */
const PLACE = `select current_user as name,
  concat_ws(' ', extract(epoch from pg_postmaster_start_time()), current_database(), to_regclass('migration')::oid) as place`;

/** Migrations and backups use it: a wrong one would be noticed at the next upgrade. */
async function checkMigrationRole({ deps }: DatabaseContext): Promise<Finding | null> {
  const { migrationUrl } = deps.config;
  if (migrationUrl === undefined) return null;
  try {
    const connection = externalConnection(migrationUrl, "DATABASE_MIGRATION_URL", {});
    const owner = await withClient(connection, (client) => client.query<Place>(PLACE));
    const [service] = await deps.db.query<Place>(PLACE);
    const [{ name, place } = { name: "", place: "" }] = owner.rows;
    if (place === service?.place) return { state: "ok", says: `${name}, for migrations` };
    const todo = "Both must lead to the same database, and to the same schema by their search_path.";
    return { state: "fail", says: "DATABASE_MIGRATION_URL leads to another store than DATABASE_URL", todo };
  } catch (error) {
    const todo = "Correct DATABASE_MIGRATION_URL, or unset it on nodes that do not migrate.";
    return { state: "fail", says: `DATABASE_MIGRATION_URL cannot be used: ${failureLine(error)}`, todo };
  }
}

interface Place {
  readonly name: string;
  readonly place: string;
}
