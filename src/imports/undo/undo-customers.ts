import type { CustomerPatch, CustomerRow } from "../../customers/customer.ts";
import { selectCustomers } from "../../customers/customer-queries.ts";
import { deleteWithoutPoints } from "../../customers/delete-without-points.ts";
import { findIdleCustomers } from "../../customers/find-idle-customers.ts";
import { isMemberId } from "../../customers/member-id.ts";
import { removeUntouched } from "../../customers/remove-untouched.ts";
import { upsertCustomers } from "../../customers/upsert-customers.ts";
import type { Tx } from "../../db/pool.ts";
import { type LockedBalance, lockUnmergedBalances } from "../../ledger/balance-queries.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { FILE_FIELDS, type FileProfile, type RowChange, selectLastChanges } from "../apply/change-queries.ts";
import { forgetFound } from "../check/survey-queries.ts";
import type { CsvImport } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import type { ShardBatch } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

const FIELD_NAMES = {
  email: "email",
  name: "name",
  nameReading: "name_reading",
  birthday: "birthday",
  acceptsMarketing: "accepts_marketing",
  accountEnabled: "account_enabled",
} as const;

/** The actions for a batch of rows. */
interface Reversal {
  readonly patches: CustomerPatch[];
  /** The rows that created a customer who is unchanged since. */
  readonly made: RowChange[];
  readonly issues: StoredIssue[];
}

/**
 * Undoes a shard's rows of customers, backwards. Each field that still has the row's value gets its earlier value, and a customer whom the row
 * created is removed, with the id, if nothing has happened to them since. Values changed since are kept and stored as an issue. Returns false when
 * the shard is done.
 */
export async function undoCustomers(
  tx: Tx,
  deps: PostingDeps,
  { uid, options }: CsvImport,
  batch: ShardBatch,
): Promise<boolean> {
  const from = await lockShard(tx, uid, "undo", batch.shard);
  if (from === undefined) return false;
  const rows = await selectLastChanges(tx, { uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const customers = await selectCustomers(tx, [
    ...new Map(rows.map((row) => [row.customer.customerUid, row.customer])).values(),
  ]);
  const live = customers.filter(({ deletedAt }) => deletedAt === null);
  const balances = await lockUnmergedBalances(tx, live); // customers who were merged meanwhile are resolved again
  const { patches, made, issues } = plan(rows, await selectCustomers(tx, live));
  await upsertCustomers(tx, deps, patches);
  const unallotted = uidsOf(balances.filter(({ version }) => version === 0n)); // a customer with an allotment was used
  const removed = await removeUntouched(
    tx,
    made.flatMap(({ customer }) => (unallotted.has(customer.customerUid) ? customer : [])),
  );
  const left = made.filter(({ customer }) => !removed.has(customer.customerUid));
  const gone = options.move === null ? [] : await deleteMembers(tx, deps, { live, left, balances });
  const goneUids = uidsOf(gone);
  await forgetFound(tx, [
    ...gone,
    ...made.flatMap(({ customer }) => (removed.has(customer.customerUid) ? customer : [])),
  ]);
  const kept = left.filter(({ customer }) => !goneUids.has(customer.customerUid));
  issues.push(...kept.map((row) => storedIssue(row, issueOf("customer_changed_since", "id", null))));
  const bad = new Set(issues.map(({ n }) => n)).size;
  const counts = { rows: rows.length, valid: rows.length - bad, added: 0n, taken: 0n };
  const did = { created: removed.size, changed: patches.length };
  await Promise.all([
    insertIssues(tx, uid, "undo", issues),
    advanceShard(tx, { uid, phase: "undo", shard: batch.shard }, last, { ...counts, ...did }),
  ]);
  return rows.length === batch.size;
}

/** Deletes members whom a move created, and who have no data except in the ledger, which is not erased. Returns them. */
async function deleteMembers(
  tx: Tx,
  deps: PostingDeps,
  of: {
    readonly live: readonly CustomerRow[];
    readonly left: readonly RowChange[];
    readonly balances: readonly LockedBalance[];
  },
): Promise<readonly CustomerRow[]> {
  const leftUids = uidsOf(of.left.map(({ customer }) => customer));
  const empty = uidsOf(of.balances.filter(({ ledgerPoints, heldPoints }) => ledgerPoints === 0n && heldPoints === 0n));
  const members = of.live.filter(
    ({ customerUid, storefrontId }) => leftUids.has(customerUid) && empty.has(customerUid) && isMemberId(storefrontId),
  );
  const idle = await findIdleCustomers(tx, members);
  const unwanted = members.filter(({ customerUid }) => idle.has(customerUid));
  return deleteWithoutPoints(tx, deps, unwanted);
}

function uidsOf(customers: readonly CustomerRef[]): ReadonlySet<string> {
  return new Set(customers.map(({ customerUid }) => customerUid));
}

function plan(rows: readonly RowChange[], customers: readonly CustomerRow[]): Reversal {
  const present = new Map(customers.map((customer) => [customer.customerUid, { ...customer }]));
  const reversal: Reversal = { patches: [], made: [], issues: [] };
  for (const row of rows) {
    const customer = present.get(row.customer.customerUid);
    if (customer === undefined) {
      reversal.issues.push(storedIssue(row, issueOf("customer_gone", "id", null)));
      continue;
    }
    const fields = FILE_FIELDS.filter((field) => row.isCreated || field in row.after);
    const same = fields.filter((field) => customer[field] === (row.after[field] ?? null)); // null: an earlier version did not know the field
    if (row.isCreated) {
      if (same.length === fields.length) reversal.made.push(row);
      else reversal.issues.push(storedIssue(row, issueOf("customer_changed_since", "id", null)));
      continue;
    }
    const changed = fields.find((field) => !same.includes(field));
    if (changed !== undefined) {
      reversal.issues.push(storedIssue(row, issueOf("customer_changed_since", FIELD_NAMES[changed], null)));
    }
    if (same.length === 0) continue;
    const before: FileProfile = Object.fromEntries(same.map((field) => [field, row.before[field] ?? null]));
    reversal.patches.push({ storefrontId: customer.storefrontId, ...before });
    present.set(customer.customerUid, { ...customer, ...before });
  }
  return reversal;
}
