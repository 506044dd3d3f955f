import type { Deps } from "../deps.ts";
import { readLedgerKey } from "./ledger-key-queries.ts";
import { replaceLedgerKey } from "./replace-ledger-key.ts";

/**
 * Gives up a key that cannot be opened any more and makes another one: all customers are linked anew, to the facts as they are. Returns
 * whether it was lost; a dry run changes nothing.
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
