import { readConfig } from "../config.ts";
import { listPending } from "../db/list-pending.ts";
import { migrate } from "../db/migrate.ts";
import { createLog } from "../log.ts";
import type { Given } from "./command-line.ts";
import { untilInterrupted } from "./until-interrupted.ts";

/** `pointkeeper migrate [--dry-run]`: applies the migrations that the store's database lacks, or only lists them. */
export async function migrateStore({ options }: Given): Promise<number> {
  const config = readConfig();
  const log = createLog({ level: "info", pretty: true, write: (line) => void process.stderr.write(line) });
  await untilInterrupted({ config, log, as: "migration" }, async ({ connection, place }) => {
    const pending = await listPending(connection, place);
    if (pending.length === 0) return void process.stdout.write("Nothing to do: the schema is up to date.\n");
    if (options.has("dry-run")) {
      process.stdout.write(pending.map((name) => `would apply ${name}\n`).join(""));
      return;
    }
    const count = await migrate(connection, { log, lockTimeoutMs: config.migrationLockTimeoutMs });
    process.stdout.write(`${count} migrations were applied.\n`);
  });
  return 0;
}
