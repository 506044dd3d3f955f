import type { Db } from "../db/pool.ts";
import { LEDGER_CHECKS, type LedgerCheck } from "./ledger-checks.ts";

const BUCKETS = 256;

export interface VerifyResult {
  readonly ok: boolean;
  readonly customers: number;
  readonly allotments: number;
  readonly faults: number;
}

/**
 * Recomputes every invariant of program.md 3 over the whole database, a bucket at a time, each at one moment, while the
 * service may be running. Memory is bounded. `print` gets a line for each customer that does not hold and for each check.
 * Features above the ledger pass their own checks as `more`.
 */
export async function verifyLedger(
  db: Db,
  print: (line: string) => void,
  more: readonly LedgerCheck[] = [],
): Promise<VerifyResult> {
  const checks = [...LEDGER_CHECKS, ...more];
  const faultsOf = new Map(checks.map((check) => [check.name, 0]));
  let customers = 0;
  let allotments = 0;
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const counts = await verifyBucket(db, bucket, checks, (check, line) => {
      faultsOf.set(check.name, (faultsOf.get(check.name) ?? 0) + 1);
      print(line);
    });
    customers += counts.customers;
    allotments += counts.allotments;
  }
  for (const check of checks) {
    const faults = faultsOf.get(check.name) ?? 0;
    print(`${faults === 0 ? "ok  " : "FAIL"} ${check.name}: ${check.says}${faults === 0 ? "" : ` (${faults} found)`}`);
  }
  const faults = [...faultsOf.values()].reduce((sum, count) => sum + count, 0);
  print(
    `${customers} customers, ${allotments} allotments checked: ${faults === 0 ? "everything holds" : `${faults} faults`}`,
  );
  return { ok: faults === 0, customers, allotments, faults };
}

const COUNTS = `select (select count(*) from balance where bucket = $1) as customers,
  (select count(*) from allotment where bucket = $1) as allotments`;

interface FaultRow {
  customer_uid: string;
  storefront_id: string | null;
  found: string;
}

/** At most 10,000 faults of a bucket are told. */
function faultsText(check: LedgerCheck): string {
  return `select f.customer_uid, c.storefront_id, f.found
from (${check.text}) f
left join customer c on c.bucket = $1 and c.customer_uid = f.customer_uid
order by f.customer_uid
limit 10000`;
}

function verifyBucket(
  db: Db,
  bucket: number,
  checks: readonly LedgerCheck[],
  fault: (check: LedgerCheck, line: string) => void,
): Promise<{ customers: number; allotments: number }> {
  return db.snapshot(async (tx) => {
    const found = await Promise.all(checks.map((check) => tx.query<FaultRow>(faultsText(check), [bucket])));
    for (const [i, check] of checks.entries()) {
      for (const row of found[i] ?? []) {
        fault(check, `FAIL ${check.name}: customer ${row.storefront_id ?? "?"} (${row.customer_uid}): ${row.found}`);
      }
    }
    const [counts] = await tx.query<{ customers: bigint; allotments: bigint }>(COUNTS, [bucket]);
    return { customers: Number(counts?.customers ?? 0n), allotments: Number(counts?.allotments ?? 0n) };
  });
}
