import type { Deps } from "../deps.ts";
import { BackupError } from "./manifest.ts";
import { shipSpool } from "./ship-spool.ts";

/**
 * Archives the log of the embedded server: moves what waits in its spool, whether the server answers or not. Returns how many segments were moved.
 * @throws BackupError where the server does not archive, or another server archives into the same folder
 */
export async function shipLog({ db, config }: Pick<Deps, "db" | "config">): Promise<number> {
  const { dir, isLogArchived } = config.backup;
  if (dir === undefined || !isLogArchived) return 0;
  const shipped = await shipSpool(config);
  const [server] = await db.query<{ mode: string }>("select current_setting('archive_mode') as mode");
  if (server?.mode !== "on") {
    throw new BackupError(
      "The embedded database was started without archiving its log, by a command without POINTKEEPER_BACKUP_LOG: stop the service and all commands, and start it again.",
    );
  }
  return shipped;
}
