import type { StatsFs } from "node:fs";
import { statfs } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { noteCall } from "../file-calls.ts";

/** The readings that have not returned, by folder. */
const waiting = new Map<string, Promise<StatsFs | "unreadable">>();

/**
 * Returns the figures of the file system of a folder; `silent`: it does not answer within this time, as a network share that is away, whose calls return
 * after minutes or never. One call a folder is made at a time, because each takes one of the few threads for files.
 */
export async function readFileSystem(
  dir: string,
  waitMs: number,
  read: (dir: string) => Promise<StatsFs> = statfs,
): Promise<StatsFs | "unreadable" | "silent"> {
  const begun = waiting.get(dir);
  const reading = begun ?? read(dir).catch(() => "unreadable" as const);
  if (begun === undefined) {
    waiting.set(dir, reading);
    noteCall(reading);
    void reading.finally(() => waiting.delete(dir));
  }
  const end = new AbortController();
  try {
    return await Promise.race([reading, delay(waitMs, "silent" as const, { ref: false, signal: end.signal })]);
  } finally {
    end.abort();
  }
}
