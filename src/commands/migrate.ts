import type pg from "pg";
import { readConfig } from "../config.ts";
import { distribute, planDistribution } from "../db/citus/distribute.ts";
import { listPending } from "../db/list-pending.ts";
import { migrate } from "../db/migrate.ts";
import { ConfigError } from "../environment.ts";
import { createLog } from "../log.ts";
import type { Given } from "./command-line.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/**
 * `pointkeeper migrate [--distribute] [--dry-run]`: applies the migrations that the store's database lacks, or only lists them; then
 * distributes its tables of points over the nodes of a Citus with --distribute (docs/citus.md).
 */
export async function migrateStore({ options }: Given): Promise<number> {
  const config = readConfig();
  const log = createLog({ level: "info", pretty: true, write: (line) => void process.stderr.write(line) });
  const isDryRun = options.has("dry-run");
  const isDistributing = options.has("distribute");
  await untilInterrupted({ config, log, as: "migration" }, async (database) => {
    const { migrationConnection: connection, serviceRole, place } = database;
    if (connection === undefined) throw new ConfigError(NO_OWNER);
    const settings = { log, lockTimeoutMs: config.migrationLockTimeoutMs, serviceRole };
    if (isDistributing) await planDistribution(connection); // refuses a plain PostgreSQL before anything is done
    const pending = await listPending(connection, place, { mayBeEmpty: config.migrationUrl !== undefined });
    process.stdout.write(pendingText(pending, isDryRun));
    if (!isDryRun) await migrate(connection, settings); // with nothing pending it gives privileges to a role that came since
    if (pending.length > 0 && !isDryRun) process.stdout.write(`${pending.length} migrations were applied.\n`);
    if (!isDistributing) return;
    await (isDryRun ? showDistribution : distributeStore)(connection);
    if (!isDryRun) await migrate(connection, settings); // privileges on the tables that this made
  });
  return 0;
}

function pendingText(pending: readonly string[], isDryRun: boolean): string {
  if (pending.length === 0) return "Nothing to do: the schema is up to date.\n";
  return isDryRun ? pending.map((name) => `would apply ${name}\n`).join("") : "";
}

const NO_OWNER =
  "A pooler in transaction mode does not keep the lock of who migrates: set DATABASE_MIGRATION_URL to the database itself.";

async function showDistribution(connection: pg.ClientConfig): Promise<void> {
  const { steps, afterwards } = await planDistribution(connection);
  const all = [...steps, ...afterwards];
  process.stdout.write(all.length === 0 ? DISTRIBUTED : all.map((statement) => `would run ${statement};\n`).join(""));
}

const DISTRIBUTED = "Nothing to do: the tables of points are distributed.\n";

async function distributeStore(connection: pg.ClientConfig): Promise<void> {
  const done = await distribute(connection);
  process.stdout.write(
    done.length === 0 ? DISTRIBUTED : "The tables of points are distributed over the nodes of the Citus.\n",
  );
}
