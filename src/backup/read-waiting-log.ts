import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { logSpoolOf } from "../db/embedded/server-settings.ts";
import { isSegment } from "./log-archive.ts";

/** Segments of the log that are not archived yet. */
export interface WaitingLog {
  readonly segments: number;
  /** 0: none waits. */
  readonly oldestSeconds: number;
  /** What they take on the store's disk. */
  readonly bytes: number;
}

const MS = 1_000;

/** Reads what waits in the spool of a server's home; what the server is still copying there does not count. */
export async function readWaitingLog(home: string): Promise<WaitingLog> {
  const spool = logSpoolOf(home);
  const names = (await readdir(spool).catch(() => [])).filter(isSegment);
  let oldestMs = Date.now();
  let bytes = 0;
  for (const name of names) {
    const found = await stat(join(spool, name)).catch(() => undefined); // shipped meanwhile
    if (found === undefined) continue;
    oldestMs = Math.min(oldestMs, found.mtimeMs);
    bytes += found.size;
  }
  return { segments: names.length, oldestSeconds: Math.round((Date.now() - oldestMs) / MS), bytes };
}
