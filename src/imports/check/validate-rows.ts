import type { Tx } from "../../db/pool.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { TierRule } from "../../program/program.ts";
import { NEVER_PLACED, type StoredTier, selectTiers } from "../../tiers/tier-queries.ts";
import { assignmentOf } from "../../tiers/tier-update.ts";
import { selectRecordedBefore } from "../activity-queries.ts";
import type { CsvImport } from "../csv-import.ts";
import { beforeIssue, issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import { type HistoryValues, historyValues, type SpendValues, spendValues } from "../read/activity-values.ts";
import { extraCells, type Read } from "../read/cells.ts";
import type { FileRow } from "../read/read-rows.ts";
import { type PointsValues, pointsValues, type TierValues, tierValues } from "../read/row-values.ts";
import type { ValidRow } from "../row-queries.ts";
import { type Resolved, resolveCustomers } from "./resolve-customers.ts";
import {
  type CheckBatch,
  type CheckedRows,
  standingAfter,
  validHistoryRow,
  validPointsRow,
  validSpendRow,
  validTierRow,
} from "./valid-row.ts";

/** Separates the valid rows of a file of any other kind, each with its customer, from those with issues. */
export async function validateRows(tx: Tx, file: CsvImport, batch: CheckBatch): Promise<CheckedRows<ValidRow>> {
  const read = batch.rows.map((row) => ({ row, values: withExactId(valuesOf(file, batch, row), file, row) }));
  const named = read.flatMap(({ values }) => ("issues" in values ? [] : [values.named]));
  const resolved = await resolveCustomers(tx, named, file.options);
  const refs = [...resolved.values()].filter((ref): ref is CustomerRef => typeof ref === "object");
  const tiers = file.kind === "tiers" ? await selectTiers(tx, refs) : new Map<string, StoredTier>();
  const valid: ValidRow[] = [];
  const issues: StoredIssue[] = [];
  for (const { row, values } of read) {
    const result = validateRow(row, values, resolved, { rules: batch.rules, tiers });
    if ("issues" in result) issues.push(...result.issues.map((issue) => storedIssue(row, issue)));
    else valid.push(result);
  }
  const before = await selectRecordedBefore(tx, file, valid);
  const recorded = valid.filter(({ n }) => before.has(n)).map((row) => storedIssue(row, beforeIssue(file.kind)));
  return { valid: valid.filter(({ n }) => !before.has(n)), issues: [...issues, ...recorded] };
}

type Values = Read<PointsValues | TierValues | SpendValues | HistoryValues>;

function valuesOf(file: CsvImport, { headerCount, rules, dates }: CheckBatch, { cells }: FileRow): Values {
  const extra = extraCells(cells, headerCount);
  if (extra.length > 0) return { issues: extra };
  const { columns, options } = file;
  if (file.kind === "points") return pointsValues(cells, columns, options, dates);
  if (file.kind === "spend") return spendValues(cells, columns, options, dates);
  if (file.kind === "history") return historyValues(cells, columns, options, dates);
  return tierValues(cells, columns, rules, dates);
}

/** Reading a cell removes spaces and the apostrophe before a formula; an exact id is the cell as it is. */
function withExactId(values: Values, { columns, options }: CsvImport, { cells }: FileRow): Values {
  if (!options.exactIds || "issues" in values || columns.customer === undefined) return values;
  return { ...values, named: cells[columns.customer] ?? values.named };
}

function validateRow(
  row: FileRow,
  values: Values,
  resolved: ReadonlyMap<string, Resolved>,
  { rules, tiers }: { readonly rules: readonly TierRule[]; readonly tiers: ReadonlyMap<string, StoredTier> },
): Read<ValidRow> {
  if ("issues" in values) return values;
  const customer = resolved.get(values.named) ?? "customer_unknown";
  if (typeof customer === "string") return { issues: [issueOf(customer, "customer", values.named)] };
  if ("pointValue" in values) return validPointsRow(row, customer, values);
  if ("spentMinor" in values) return validSpendRow(row, customer, values);
  if ("entry" in values) return validHistoryRow(row, customer, values);
  const before = assignmentOf(rules, tiers.get(customer.customerUid) ?? NEVER_PLACED);
  const after = standingAfter(rules, before, values.update);
  return "code" in after ? { issues: [after] } : validTierRow(row, customer, values);
}
