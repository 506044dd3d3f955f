import { stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import type { Log } from "../deps.ts";
import { shipSpool } from "./ship-spool.ts";

/** Eight segments of the log: with less the server may not be able to start. */
const ROOM_BYTES = 8 * 2 ** 24;

/**
 * Moves the log that waits to the archive before the embedded server starts, if its disk has little room: a server without any for its log cannot
 * start, and the worker that moves the log starts after it. It ends once there is room, because nothing is served meanwhile: a segment takes up to a
 * second. A log that cannot be moved does not prevent the start.
 */
export async function shipBeforeStart({ config, log }: { readonly config: Config; readonly log: Log }): Promise<void> {
  if (!config.backup.isLogArchived) return;
  try {
    const home = await homeOf(config.dataDir);
    const hasRoom = async () => {
      const { bavail, bsize } = await statfs(home);
      return bavail * bsize >= ROOM_BYTES;
    };
    if ((await stat(join(home, "pg")).catch(() => undefined)) === undefined) return; // the first start makes it
    if (await hasRoom()) return;
    const segments = await shipSpool(config, hasRoom);
    if (segments > 0)
      log.info({ segments }, "the disk has little room: log that waited was archived before the database starts");
  } catch (error) {
    log.warn({ error }, "the disk has little room, and log that waits on it cannot be archived");
  }
}
