import type { Deps } from "../deps.ts";
import { insertLedgerKey, LOCK_LEDGER_KEY, readLedgerKey } from "./ledger-key-queries.ts";

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
  if (!isLost || isDryRun) return isLost;
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_LEDGER_KEY);
    await tx.execute("update ledger_key set retired_at = $1, material_sealed = null where retired_at is null", [
      deps.clock.now(),
    ]);
    await insertLedgerKey(tx, deps, false);
  });
  return true;
}
