import { UsageError } from "../config.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import type { Given } from "./command-line.ts";
import { withDeps } from "./with-deps.ts";

const WORKERS_MAX = 16;
/** Beside the workers, for what is read first. */
const OTHER_CONNECTIONS = 1;

/** `pointkeeper verify`: prints what was checked, and each customer that does not hold; 1 where there is one. */
export async function verify({ options }: Given): Promise<number> {
  const workers = workersOf(options.get("workers"));
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  const { ok } = await withDeps(
    (deps) => verifyLedger(deps.db, print, ORDER_CHECKS, workers),
    workers + OTHER_CONNECTIONS,
  );
  return ok ? 0 : 1;
}

function workersOf(text = "1"): number {
  const workers = Number(text);
  if (/^\d+$/.test(text) && workers >= 1 && workers <= WORKERS_MAX) return workers;
  throw new UsageError(`--workers must be a number from 1 to ${WORKERS_MAX}, not "${text}".`);
}
