import type { Deps } from "../deps.ts";
import { insertLedgerKey, LOCK_LEDGER_KEY } from "./ledger-key-queries.ts";

// A store that already has chains and no key has lost the key: its customers are not linked anew as if nothing had been there. Citus
// brings rows of a subquery to the coordinator only with a column.
const IS_UNCHAINED = `select exists (select true from balance where version > 0)
  and not exists (select true from balance where chained_version > 0) as "isUnchained"`;

/** Makes the key of the ledger where there is none: at the start of a service. Customers who have points from before are linked by the worker. */
export async function ensureLedgerKey(deps: Pick<Deps, "db" | "clock" | "random" | "secretBox">): Promise<void> {
  if ((await deps.db.query("select from ledger_key where retired_at is null")).length > 0) return;
  await deps.db.tx(async (tx) => {
    await tx.query(LOCK_LEDGER_KEY);
    if ((await tx.query("select from ledger_key where retired_at is null")).length > 0) return;
    const [row] = await tx.query<{ isUnchained: boolean }>(IS_UNCHAINED);
    await insertLedgerKey(tx, deps, row?.isUnchained !== true);
  });
}
