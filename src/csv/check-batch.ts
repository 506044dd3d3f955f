import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import type { TierRule } from "../shop/program.ts";
import { selectTiers } from "../tiers/tier-batch-queries.ts";
import type { StoredTier } from "../tiers/tier-queries.ts";
import { standingOf } from "../tiers/tier-update.ts";
import { LOCK_CHECKED_SHARED } from "./check-lock.ts";
import type { CsvImport } from "./csv-import.ts";
import { faultOf, type RowFault, type StoredFault } from "./fault.ts";
import { goodPointsRow, goodTierRow, standingAfter } from "./good-row.ts";
import type { ImportLease } from "./lease-queries.ts";
import type { FileRow } from "./read-rows.ts";
import { type Resolved, resolveCustomers } from "./resolve-customers.ts";
import { type GoodRow, insertRows } from "./row-queries.ts";
import { extraCells, type PointsValues, pointsValues, type TierValues, tierValues } from "./row-values.ts";
import { insertFaults, markChecked, type StepCounts } from "./step-queries.ts";

export interface CheckBatch {
  /** Which one of the file's. */
  readonly at: number;
  readonly rows: readonly FileRow[];
  /** Cells of the header; null: there is none. */
  readonly headerCount: number | null;
  readonly rules: readonly TierRule[];
}

const NEVER_PLACED: StoredTier = { tierUid: null, minimumTierUid: null, skipNextCheck: false };

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
  const read = batch.rows.map((row) => ({ row, values: valuesOf(file, batch, row) }));
  const named = read.flatMap(({ values }) => ("faults" in values ? [] : [values.named]));
  const resolved = await resolveCustomers(tx, named);
  const refs = [...resolved.values()].filter((ref): ref is CustomerRef => typeof ref === "object");
  const tiers = file.kind === "tiers" ? await selectTiers(tx, refs) : new Map<string, StoredTier>();
  const good: GoodRow[] = [];
  const faults: StoredFault[] = [];
  for (const { row, values } of read) {
    const judged = judge(row, values, resolved, { rules: batch.rules, tiers });
    if ("customerUid" in judged) good.push(judged);
    else faults.push(...judged.faults.map((fault) => ({ ...fault, n: row.n, line: row.line })));
  }
  if (!(await markChecked(tx, file.uid, batch.at, countsOf(batch.rows.length, good)))) return;
  await Promise.all([insertRows(tx, file.uid, good), insertFaults(tx, file.uid, "check", unique(faults))]);
}

type Values = PointsValues | TierValues | { readonly faults: readonly RowFault[] };

function valuesOf(file: CsvImport, { headerCount, rules }: CheckBatch, { cells }: FileRow): Values {
  const extra = headerCount === null ? [] : extraCells(cells, headerCount);
  if (extra.length > 0) return { faults: extra };
  return file.kind === "points"
    ? pointsValues(cells, file.columns, file.options)
    : tierValues(cells, file.columns, rules);
}

function judge(
  row: FileRow,
  values: Values,
  resolved: ReadonlyMap<string, Resolved>,
  { rules, tiers }: { readonly rules: readonly TierRule[]; readonly tiers: ReadonlyMap<string, StoredTier> },
): GoodRow | { readonly faults: readonly RowFault[] } {
  if ("faults" in values) return values;
  const customer = resolved.get(values.named) ?? "customer_unknown";
  if (typeof customer === "string") return { faults: [faultOf(customer, "customer", values.named)] };
  if ("pointValue" in values) return goodPointsRow(row, customer, values);
  const before = standingOf(rules, tiers.get(customer.customerUid) ?? NEVER_PLACED);
  const after = standingAfter(rules, before, values.update);
  return "code" in after ? { faults: [after] } : goodTierRow(row, customer, values);
}

/** A row says each kind of fault once. */
function unique(faults: readonly StoredFault[]): StoredFault[] {
  return [...new Map(faults.map((fault) => [`${fault.n} ${fault.code}`, fault])).values()];
}

function countsOf(rows: number, good: readonly GoodRow[]): StepCounts {
  let added = 0n;
  let taken = 0n;
  for (const { pointValue } of good) {
    const value = pointValue ?? 0n;
    if (value > 0n) added += value;
    else taken -= value;
  }
  return { rows, good: good.length, added, taken };
}
