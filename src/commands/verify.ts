import { verifyLedger } from "../ledger/verify-ledger.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper verify`: prints what was checked, and each customer that does not hold; 1 where there is one. */
export async function verify(): Promise<number> {
  const { ok } = await withDeps((deps) => verifyLedger(deps.db, (line) => void process.stdout.write(`${line}\n`)));
  return ok ? 0 : 1;
}
