import { UsageError } from "../config.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import type { Given } from "./command-line.ts";
import { createProgress, inTone, print, printLine } from "./output.ts";
import { withDeps } from "./with-deps.ts";

const WORKERS_MAX = 16;
/** Beside the workers, for what is read first. */
const OTHER_CONNECTIONS = 1;
/** What a document holds of what does not hold; the counts are whole. */
const FAULTS_MAX = 1_000;

/** `pointkeeper verify`: prints what was checked, and each customer that does not hold; 1 where there is one. */
export async function verify(given: Given): Promise<number> {
  const workers = workersOf(given.options.get("workers"));
  const progress = createProgress("verifying", "of the ledger");
  const found: string[] = [];
  const onLine = (line: string): void => {
    progress.end();
    if (!given.isJson) printLine(coloured(line));
    else if (line.startsWith("FAIL ") && found.length < FAULTS_MAX) found.push(line.slice("FAIL ".length));
  };
  const onProgress = ({ buckets, ofBuckets }: { buckets: number; ofBuckets: number }) =>
    progress.update(buckets, ofBuckets);
  const result = await withDeps(
    (deps) => verifyLedger(deps.db, onLine, ORDER_CHECKS, { workers, onProgress }),
    workers + OTHER_CONNECTIONS,
  );
  progress.end();
  const { ok, customers, allotments, faults, checks } = result;
  const json = { ok, customers, allotments, fault_count: faults, checks, faults: found.slice(0, faults) };
  if (given.isJson) print(given, { json, text: [] });
  return ok ? 0 : 1;
}

function coloured(line: string): string {
  if (line.startsWith("ok  ")) return `${inTone("good", "ok  ")}${line.slice(4)}`;
  return line.startsWith("FAIL") ? `${inTone("bad", "FAIL")}${line.slice(4)}` : line;
}

function workersOf(text = "1"): number {
  const workers = Number(text);
  if (/^\d+$/.test(text) && workers >= 1 && workers <= WORKERS_MAX) return workers;
  throw new UsageError(`--workers must be a number from 1 to ${WORKERS_MAX}, not "${text}".`);
}
