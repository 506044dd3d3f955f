import type { Tx } from "../../db/pool.ts";
import type { CsvImport } from "../csv-import.ts";
import type { StoredIssue } from "../issue.ts";
import type { ImportLease } from "../lease-queries.ts";
import { insertProfiles } from "../profile-queries.ts";
import { insertRows, type ValidRow } from "../row-queries.ts";
import { insertIssues, LOCK_CHECKED_SHARED, markChecked, type StepCounts } from "../step-queries.ts";
import type { CheckBatch } from "./valid-row.ts";
import { validateProfiles } from "./validate-profiles.ts";
import { validateRows } from "./validate-rows.ts";

const FIND_HELD = `select
from import i
where i.uid = $1
  and i.lease_uid = $2
  and i.state = 'checking'`;

/**
 * Checks some rows of a file: stores the valid ones and the issues of the others, once, however often it is called for the same batch. Stores nothing
 * if the lease was lost, because the check may have been started again with other settings.
 */
export async function checkBatch(
  tx: Tx,
  file: CsvImport,
  { leaseUid }: Pick<ImportLease, "leaseUid">,
  batch: CheckBatch,
): Promise<void> {
  await tx.execute(LOCK_CHECKED_SHARED, [file.uid]);
  if ((await tx.query(FIND_HELD, [file.uid, leaseUid])).length === 0) return;
  const { issues, counts, keep } = await validate(tx, file, batch);
  if (!(await markChecked(tx, file.uid, batch.at, counts))) return;
  await Promise.all([keep(), insertIssues(tx, file.uid, "check", unique(issues))]);
}

interface Validated {
  readonly issues: readonly StoredIssue[];
  readonly counts: StepCounts;
  /** Stores the valid rows. */
  readonly keep: () => Promise<void>;
}

async function validate(tx: Tx, file: CsvImport, batch: CheckBatch): Promise<Validated> {
  const rows = batch.rows.length;
  if (file.kind === "customers") {
    const { valid, issues } = await validateProfiles(tx, file, batch);
    const counts = { rows, valid: valid.length, added: 0n, taken: 0n };
    return { issues, counts, keep: () => insertProfiles(tx, file.uid, valid) };
  }
  const { valid, issues } = await validateRows(tx, file, batch);
  return { issues, counts: countsOf(rows, valid), keep: () => insertRows(tx, file.uid, valid) };
}

/** Removes repeated issues of a row: it has each kind of issue once. */
function unique(issues: readonly StoredIssue[]): StoredIssue[] {
  return [...new Map(issues.map((issue) => [`${issue.n} ${issue.code}`, issue])).values()];
}

function countsOf(rows: number, valid: readonly ValidRow[]): StepCounts {
  let added = 0n;
  let taken = 0n;
  for (const { pointValue } of valid) {
    const value = pointValue ?? 0n;
    if (value > 0n) added += value;
    else taken -= value;
  }
  return { rows, valid: valid.length, added, taken };
}
