import type { Tx } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import type { StoredFault } from "../fault.ts";
import type { ImportLease } from "../lease-queries.ts";
import { insertProfiles } from "../profile-queries.ts";
import { insertRows, type ValidRow } from "../row-queries.ts";
import { insertFaults, markChecked, type StepCounts } from "../step-queries.ts";
import { LOCK_CHECKED_SHARED } from "./check-lock.ts";
import type { CheckBatch } from "./checked-rows.ts";
import { validateProfiles } from "./validate-profiles.ts";
import { validateRows } from "./validate-rows.ts";

const FIND_HELD = `select
from import i
where i.uid = $1
  and i.lease_uid = $2
  and i.state = 'checking'`;

/**
 * Checks some rows of a file: keeps those that are good and what is wrong with the others, once, however often it is called for
 * the same batch. Nothing is kept where the lease was lost: somebody may have begun anew with other settings.
 */
export async function checkBatch(
  tx: Tx,
  file: CsvImport,
  { leaseUid }: Pick<ImportLease, "leaseUid">,
  batch: CheckBatch,
): Promise<void> {
  await tx.execute(LOCK_CHECKED_SHARED, [file.uid]);
  if ((await tx.query(FIND_HELD, [file.uid, leaseUid])).length === 0) return;
  const { faults, counts, keep } = await judge(tx, file, batch);
  if (!(await markChecked(tx, file.uid, batch.at, counts))) return;
  await Promise.all([keep(), insertFaults(tx, file.uid, "check", unique(faults))]);
}

interface Judged {
  readonly faults: readonly StoredFault[];
  readonly counts: StepCounts;
  /** Keeps the good rows. */
  readonly keep: () => Promise<void>;
}

async function judge(tx: Tx, file: CsvImport, batch: CheckBatch): Promise<Judged> {
  const rows = batch.rows.length;
  if (file.kind === "customers") {
    const { good, faults } = await validateProfiles(tx, file, batch);
    const counts = { rows, good: good.length, added: 0n, taken: 0n };
    return { faults, counts, keep: () => insertProfiles(tx, file.uid, good) };
  }
  const { good, faults } = await validateRows(tx, file, batch);
  return { faults, counts: countsOf(rows, good), keep: () => insertRows(tx, file.uid, good) };
}

/** A row says each kind of fault once. */
function unique(faults: readonly StoredFault[]): StoredFault[] {
  return [...new Map(faults.map((fault) => [`${fault.n} ${fault.code}`, fault])).values()];
}

function countsOf(rows: number, good: readonly ValidRow[]): StepCounts {
  let added = 0n;
  let taken = 0n;
  for (const { pointValue } of good) {
    const value = pointValue ?? 0n;
    if (value > 0n) added += value;
    else taken -= value;
  }
  return { rows, good: good.length, added, taken };
}
