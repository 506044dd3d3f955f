import type pg from "pg";
import { readConfig } from "../config.ts";
import { distribute, planDistribution } from "../db/citus/distribute.ts";
import { listPending } from "../db/list-pending.ts";
import { migrate } from "../db/migrate.ts";
import { createLog } from "../log.ts";
import type { Given } from "./command-line.ts";
import { print } from "./output.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/**
 * `pointkeeper migrate [--distribute] [--dry-run]`: applies the migrations that the store's database lacks, or only lists them; then
 * distributes its tables of points over the nodes of a Citus with --distribute (docs/citus.md).
 */
export async function migrateStore(given: Given): Promise<number> {
  const config = readConfig();
  const log = createLog({ level: "info", pretty: true, write: (line) => void process.stderr.write(line) });
  const isDryRun = given.options.has("dry-run");
  const shown = await untilInterrupted({ config, log, as: "migration" }, async ({ connection, place }) => {
    const pending = await listPending(connection, place);
    const isDistributing = given.options.has("distribute");
    if (isDistributing) await planDistribution(connection); // refuses a plain PostgreSQL before anything is done
    const json = { is_dry_run: isDryRun, pending, applied: 0 };
    const text: string[] = [];
    if (pending.length === 0) text.push("Nothing to do: the schema is up to date.");
    else if (isDryRun) text.push(...pending.map((name) => `would apply ${name}`));
    else {
      json.applied = await migrate(connection, { log, lockTimeoutMs: config.migrationLockTimeoutMs });
      text.push(`${json.applied} migrations were applied.`);
    }
    if (!isDistributing) return { json, text };
    const { statements, lines } = await (isDryRun ? showDistribution : distributeStore)(connection);
    return { json: { ...json, distribution: statements }, text: [...text, ...lines] };
  });
  print(given, shown);
  return 0;
}

/** The statements that distribute the store, done or to be done, and what is said of it. */
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
