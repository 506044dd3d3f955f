import { verifyLedger } from "../ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper verify`: prints what was checked, and each customer that does not hold; 1 where there is one. */
export async function verify(): Promise<number> {
  const { ok } = await withDeps((deps) =>
    verifyLedger(deps.db, (line) => void process.stdout.write(`${line}\n`), ORDER_CHECKS),
  );
  return ok ? 0 : 1;
}
