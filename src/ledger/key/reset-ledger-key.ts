import type { Deps } from "../../deps.ts";
import { readLedgerKey } from "./ledger-key-queries.ts";
import { replaceLedgerKey } from "./replace-ledger-key.ts";

/**
 * Discards a key that can no longer be decrypted and creates another one. All customers are linked again, with the facts as they are now. Returns
 * whether the key was lost; a dry run changes nothing.
 */
export async function resetLedgerKey(
  deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">,
  { isDryRun }: { readonly isDryRun: boolean },
): Promise<boolean> {
  const isLost = await readLedgerKey(deps.db, deps).then(
    () => false,
    () => true,
  );
  if (isLost && !isDryRun) await deps.db.tx((tx) => replaceLedgerKey(tx, deps));
  return isLost;
}
