import type { Deps } from "../../deps.ts";
import { insertLedgerKey, LOCK_LEDGER_KEY } from "./ledger-key-queries.ts";

// A store that has chains but no key has lost the key: its customers must not be linked as if they had never been. Citus brings rows of a
// subquery to the coordinator only if they have a column.
const IS_UNCHAINED = `select exists (select true from balance where version > 0)
  and not exists (select true from balance where chained_version > 0) as "isUnchained"`;

/** Creates the key of the ledger at the start of a service if there is none. The worker links customers who already have points. */
export async function ensureLedgerKey(deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">): Promise<void> {
  if ((await deps.db.query("select from ledger_key where retired_at is null")).length > 0) return;
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_LEDGER_KEY);
    if ((await tx.query("select from ledger_key where retired_at is null")).length > 0) return;
    const [row] = await tx.query<{ isUnchained: boolean }>(IS_UNCHAINED);
    await insertLedgerKey(tx, deps, row?.isUnchained !== true);
  });
}
