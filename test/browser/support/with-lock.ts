import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { cacheFolder } from "./cache-folder.ts";

const PAUSE_MS = 50;
const SQLITE_BUSY = 5;

/** Does `work` while no other process holds the lock of this name. The system lets go of it when its holder dies. */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(join(await cacheFolder(), `${name}.lock`), { timeout: 0 });
  try {
    while (!isTaken(lock)) await delay(PAUSE_MS);
    return await work();
  } finally {
    lock.close();
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec("begin exclusive");
    return true;
  } catch (error) {
    if (error instanceof Error && "errcode" in error && error.errcode === SQLITE_BUSY) return false;
    throw error;
  }
}
