import type pg from "pg";
import { readConfig } from "../config.ts";
import { distribute, planDistribution } from "../db/citus/distribute.ts";
import { listPending } from "../db/list-pending.ts";
import { migrate } from "../db/migrate.ts";
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
  await untilInterrupted({ config, log, as: "migration" }, async ({ connection, place }) => {
    const pending = await listPending(connection, place);
    const isDistributing = options.has("distribute");
    if (isDistributing) await planDistribution(connection); // refuses a plain PostgreSQL before anything is done
    if (pending.length === 0) process.stdout.write("Nothing to do: the schema is up to date.\n");
    else if (isDryRun) process.stdout.write(pending.map((name) => `would apply ${name}\n`).join(""));
    else {
      const count = await migrate(connection, { log, lockTimeoutMs: config.migrationLockTimeoutMs });
      process.stdout.write(`${count} migrations were applied.\n`);
    }
    if (isDistributing) await (isDryRun ? showDistribution : distributeStore)(connection);
  });
  return 0;
}

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
