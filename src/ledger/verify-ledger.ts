import type { Db } from "../db/pool.ts";
import { LEDGER_CHECKS, type LedgerCheck } from "./ledger-checks.ts";

const BUCKETS = 256;
/** The buckets of one pass hold about so many bytes of allotments: a small store is one pass. */
const PASS_BYTES = 64 * 2 ** 20;

/** The first and the last of some buckets. */
type Range = readonly [first: number, last: number];

export interface VerifyResult {
  readonly ok: boolean;
  readonly customers: number;
  readonly allotments: number;
  readonly faults: number;
}

/**
 * Recomputes every invariant of program.md 3 over the whole database, some buckets at a time, each pass at one moment, while the
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
  const size = await passSize(db);
  for (let first = 0; first < BUCKETS; first += size) {
    const range: Range = [first, Math.min(first + size, BUCKETS) - 1];
    const counts = await verifyRange(db, range, checks, (check, line) => {
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

/** How many buckets a pass takes. */
async function passSize(db: Db): Promise<number> {
  const [row] = await db.query<{ bytes: bigint }>("select pg_relation_size('allotment') as bytes");
  const passes = Math.ceil(Number(row?.bytes ?? 0n) / PASS_BYTES);
  return Math.max(1, Math.floor(BUCKETS / Math.max(1, passes)));
}

const COUNTS = `select (select count(*) from balance where bucket between $1 and $2) as customers,
  (select count(*) from allotment where bucket between $1 and $2) as allotments`;

interface FaultRow {
  customer_uid: string;
  storefront_id: string | null;
  found: string;
}

/** At most 10,000 faults of a pass are printed. */
function faultsText(check: LedgerCheck): string {
  return `select f.customer_uid, c.storefront_id, f.found
from (${check.text}) f
left join customer c on c.bucket between $1 and $2 and c.customer_uid = f.customer_uid
order by f.customer_uid
limit 10000`;
}

function verifyRange(
  db: Db,
  range: Range,
  checks: readonly LedgerCheck[],
  fault: (check: LedgerCheck, line: string) => void,
): Promise<{ customers: number; allotments: number }> {
  return db.snapshot(async (tx) => {
    const found = await Promise.all(checks.map((check) => tx.query<FaultRow>(faultsText(check), range)));
    for (const [i, check] of checks.entries()) {
      for (const row of found[i] ?? []) {
        fault(check, `FAIL ${check.name}: customer ${row.storefront_id ?? "?"} (${row.customer_uid}): ${row.found}`);
      }
    }
    const [counts] = await tx.query<{ customers: bigint; allotments: bigint }>(COUNTS, range);
    return { customers: Number(counts?.customers ?? 0n), allotments: Number(counts?.allotments ?? 0n) };
  });
}
