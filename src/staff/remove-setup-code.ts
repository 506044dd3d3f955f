import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { SETUP_CODE_FILE } from "./setup-code.ts";

/** Ends the code of the first run, and once the transaction has committed its file, where there is one. */
export async function removeSetupCode(tx: Tx, deps: Pick<Deps, "config">): Promise<void> {
  const removed = await tx.execute("delete from setup_code");
  const path = join(deps.config.dataDir, SETUP_CODE_FILE);
  // A file that stays opens nothing any more, and the next start removes it.
  if (removed > 0) tx.afterCommit(() => void rm(path, { force: true }).catch(() => {}));
}
