import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { insertLedgerKey, LOCK_LEDGER_KEY } from "./ledger-key-queries.ts";

/** Discards the key of the ledger and creates another one. The worker links all customers again, with the facts as they are now. */
export async function replaceLedgerKey(tx: Tx, deps: Pick<Deps, "clock" | "random" | "secretBox">): Promise<void> {
  await tx.query(LOCK_LEDGER_KEY);
  await tx.execute("update ledger_key set retired_at = $1, material_sealed = null where retired_at is null", [
    deps.clock.now(),
  ]);
  await insertLedgerKey(tx, deps, false);
}
