import { existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { dirname } from "node:path";

/** The environment variable that names the migrated database of a run to its processes; global-setup.ts sets it. */
export const NEW_STORE = "TESTS_NEW_STORE";

/**
 * Copies a database that was migrated and never used to a data folder that is not there yet: a twentieth of the processor time of making one. All
 * else of a first start (keys, credential, setup code) is still to be done. Where there is no such copy, nothing is done.
 */
export async function copyNewStore(dataDir: string): Promise<void> {
  const from = process.env[NEW_STORE];
  if (from === undefined || existsSync(dataDir) || !existsSync(dirname(dataDir))) return;
  await cp(from, dataDir, { recursive: true });
}
