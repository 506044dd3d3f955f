import { UsageError } from "../config.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import type { Given } from "./command-line.ts";
import { withDeps } from "./with-deps.ts";

const LANES_MAX = 16;
/** Beside the lanes, for what is read first. */
const OTHER_CONNECTIONS = 1;

/** `pointkeeper verify`: prints what was checked, and each customer that does not hold; 1 where there is one. */
export async function verify({ options }: Given): Promise<number> {
  const lanes = lanesOf(options.get("lanes"));
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const { ok } = await withDeps((deps) => verifyLedger(deps.db, print, ORDER_CHECKS, lanes), lanes + OTHER_CONNECTIONS);
  return ok ? 0 : 1;
}

function lanesOf(text = "1"): number {
  const lanes = Number(text);
  if (/^\d+$/.test(text) && lanes >= 1 && lanes <= LANES_MAX) return lanes;
  throw new UsageError(`--lanes must be a number from 1 to ${LANES_MAX}, not "${text}".`);
}
