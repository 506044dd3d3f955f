import type pg from "pg";
import { readConfig } from "../config.ts";
import { distribute, planDistribution } from "../db/citus/distribute.ts";
import { listPending } from "../db/list-pending.ts";
import { migrate } from "../db/migrate.ts";
import { ConfigError } from "../environment.ts";
import { createLog } from "../log.ts";
import type { Given } from "./command-line.ts";
import { print } from "./output.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/**
 * `pointkeeper migrate [--distribute] [--dry-run]`: applies the migrations that the store's database lacks, or only lists them; with --distribute it
 * then distributes the tables of points over the nodes of a Citus (docs/citus.md).
 */
export async function migrateStore(given: Given): Promise<number> {
  const config = readConfig();
  const log = createLog({ level: "info", pretty: true, write: (line) => void process.stderr.write(line) });
  const isDryRun = given.options.has("dry-run");
  const isDistributing = given.options.has("distribute");
  const shown = await untilInterrupted({ config, log, as: "migration" }, async (database) => {
    const { migrationConnection: connection, serviceRole, place } = database;
    if (connection === undefined) throw new ConfigError(NO_OWNER);
    const settings = { log, lockTimeoutMs: config.migrationLockTimeoutMs, serviceRole };
    if (isDistributing) await planDistribution(connection); // refuses a plain PostgreSQL before anything is changed
    const pending = await listPending(connection, place, { mayBeEmpty: config.migrationUrl !== undefined });
    if (!isDryRun) await migrate(connection, settings); // if nothing is pending, it grants privileges to a role that was created since
    const json = { is_dry_run: isDryRun, pending, applied: isDryRun ? 0 : pending.length };
    const text = pendingText(pending, isDryRun);
    if (!isDistributing) return { json, text };
    const { statements, lines } = await (isDryRun ? showDistribution : distributeStore)(connection);
    if (!isDryRun) await migrate(connection, settings); // privileges on the tables that this created
    return { json: { ...json, distribution: statements }, text: [...text, ...lines] };
  });
  print(given, shown);
  return 0;
}

function pendingText(pending: readonly string[], isDryRun: boolean): string[] {
  if (pending.length === 0) return ["Nothing to do: the schema is up to date."];
  return isDryRun ? pending.map((name) => `would apply ${name}`) : [`${pending.length} migrations were applied.`];
}

const NO_OWNER =
  "A pooler in transaction mode does not keep the lock of who migrates: set DATABASE_MIGRATION_URL to the database itself.";

/** The statements that distribute the store, executed or to be executed, and the messages about it. */
interface Distribution {
  readonly statements: readonly string[];
  readonly lines: readonly string[];
}

async function showDistribution(connection: pg.ClientConfig): Promise<Distribution> {
  const { steps, afterwards } = await planDistribution(connection);
  const statements = [...steps, ...afterwards];
  return { statements, lines: statements.length === 0 ? [DISTRIBUTED] : statements.map((one) => `would run ${one};`) };
}

const DISTRIBUTED = "Nothing to do: the tables of points are distributed.";

async function distributeStore(connection: pg.ClientConfig): Promise<Distribution> {
  const statements = await distribute(connection);
  const done = "The tables of points are distributed over the nodes of the Citus.";
  return { statements, lines: [statements.length === 0 ? DISTRIBUTED : done] };
}
