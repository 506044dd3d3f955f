import { checkSettings, SETTINGS_CHECK } from "../audit/check-settings.ts";
import type { Db, Tx } from "../db/pool.ts";
import { bucketOf } from "../ledger/customer-ref.ts";
import type { LedgerCheck } from "../ledger/verify/ledger-checks.ts";

/** One core, so that requests keep the others; no time limit, because the end of a pass must not depend on the limit of requests. */
const BESIDE_REQUESTS =
  "select set_config('work_mem', '48MB', true), set_config('max_parallel_workers_per_gather', '0', true), set_config('statement_timeout', '0', true)";
const ALL_BUCKETS = [0, 255] as const;
const FOUND_MAX = 100;

/**
 * Runs once in each pass of the self-check what cannot be split into buckets: the settings against the audit log, and checks that read the whole
 * store. Each compares rows of one moment, and what it compares is written in one transaction, so writes in flight are no breach. Returns a sentence for
 * each breach.
 */
export async function checkTogether(db: Pick<Db, "snapshot">, checks: readonly LedgerCheck[]): Promise<string[]> {
  const found = await db.snapshot(async (tx) => {
    await tx.execute(BESIDE_REQUESTS);
    return checkSettings({ snapshot: (work) => work(tx) });
  });
  const all = found.map((what) => `${SETTINGS_CHECK.name}: ${what}`);
  for (const check of checks)
    all.push(
      ...(await db.snapshot(async (tx) => {
        await tx.execute(BESIDE_REQUESTS);
        return runCheck(tx, check);
      })),
    );
  return all.slice(0, FOUND_MAX);
}

const STOREFRONT_ID = `select storefront_id as "storefrontId"
from customer
where bucket = $1
  and customer_uid = $2`;

async function runCheck(tx: Tx, { name, text }: LedgerCheck): Promise<string[]> {
  const rows = await tx.query<{ customer_uid: string; found: string }>(
    `select *\nfrom (${text}) f\nlimit ${FOUND_MAX}`,
    ALL_BUCKETS,
  );
  const found: string[] = [];
  for (const { customer_uid: uid, found: what } of rows) {
    const [customer] = await tx.query<{ storefrontId: string }>(STOREFRONT_ID, [bucketOf(uid), uid]);
    found.push(`${name}: customer ${customer?.storefrontId ?? "?"} (${uid}): ${what}`);
  }
  return found;
}
