import type { Db } from "../db/pool.ts";
import type { LedgerKey } from "./key/ledger-key.ts";
import { checkLedger, type LedgerFault, type VerifyResult } from "./verify/check-ledger.ts";
import type { LedgerCheck } from "./verify/ledger-checks.ts";

/**
 * Recomputes every invariant of program.md 3 over the whole database, like `checkLedger`. `print` gets a line for each fault of a customer and for
 * each check.
 */
export async function verifyLedger(
  db: Db,
  print: (line: string) => void,
  more: readonly LedgerCheck[] = [],
  { workers = 1, key = null }: { readonly workers?: number; readonly key?: LedgerKey | null } = {},
): Promise<VerifyResult> {
  const onFault = ({ check, customerUid, storefrontId, found }: LedgerFault) =>
    print(`FAIL ${check}: customer ${storefrontId ?? "?"} (${customerUid}): ${found}`);
  const result = await checkLedger(db, { onFault, more, workers, key });
  for (const { name, says, faults } of result.checks)
    print(`${faults === 0 ? "ok  " : "FAIL"} ${name}: ${says}${faults === 0 ? "" : ` (${faults} found)`}`);
  if (result.notLinked > 0) print(`note chains: ${result.notLinked} customers are not chained yet: the worker does it`);
  const { customers, allotments, faults } = result;
  print(
    `${customers} customers, ${allotments} allotments checked: ${faults === 0 ? "everything holds" : `${faults} faults`}`,
  );
  return result;
}
