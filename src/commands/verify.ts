import { UsageError } from "../config.ts";
import { readSecretKeys } from "../credentials/secret-key-file.ts";
import type { Given } from "./command-line.ts";
import { createProgress, inTone, print, printLine } from "./output.ts";
import { type StoreReport, verifyStore } from "./verify-store.ts";
import { withDeps } from "./with-deps.ts";

const WORKERS_MAX = 16;
/** In addition to the workers, for what is read first. */
const OTHER_CONNECTIONS = 1;

/**
 * `pointkeeper verify [--workers n] [--against file] [--json]`: what was checked, and each customer and checkpoint with a fault; returns 1 if there
 * is one. `--against` compares with a checkpoint that was stored elsewhere; the newest of POINTKEEPER_CHECKPOINT_DIR is compared, too.
 */
export async function verify(given: Given): Promise<number> {
  const workers = workersOf(given.options.get("workers"));
  const progress = createProgress("verifying", "of the ledger");
  const say = (line: string): void => {
    progress.end();
    if (!given.isJson) printLine(coloured(line));
  };
  const order = {
    workers,
    against: given.options.get("against"),
    say,
    onProgress: ({ queries, ofQueries }: { queries: number; ofQueries: number }) => progress.update(queries, ofQueries),
  };
  const report = await withDeps(async ({ db, config, secretBox }) => {
    const isKeyThere = (await readSecretKeys(config)) !== null;
    return verifyStore({ db, config, secretBox: isKeyThere ? secretBox : null }, order);
  }, workers + OTHER_CONNECTIONS);
  progress.end();
  if (given.isJson) print(given, { json: jsonOf(report), text: [] });
  return report.faults === 0 ? 0 : 1;
}

/** Returns one document: numbers and faults unchanged. */
function jsonOf({ ledger, logs, checks, found, faults, notes }: StoreReport): object {
  const covered = logs?.covered ?? null;
  return {
    ok: faults === 0,
    customers: ledger.customers,
    allotments: ledger.allotments,
    faults,
    checks,
    found: found.map(({ check, storefrontId, customerUid, found: what }) => ({
      check,
      customer_id: storefrontId ?? null,
      customer_uid: customerUid ?? null,
      found: what,
    })),
    not_chained: ledger.notLinked,
    checkpoint:
      covered === null
        ? null
        : { time: covered.time, allotments: Number(covered.allotments), audit_entries: Number(covered.entries) },
    notes,
  };
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
