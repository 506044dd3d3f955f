import type { Tx } from "../../db/pool.ts";
import { postAllotments } from "../../ledger/post-allotments.ts";
import type { Change, Outcome, Posting } from "../../ledger/posting.ts";
import type { CustomerPosting, PostingDeps } from "../../ledger/posting-batch.ts";
import { type CsvImport, importAction, rowKey } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import { type ShardBatch, selectNextRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

/** The `app_reference` of what the dashboard posts; points of another app have the app's name. */
export const APP_REFERENCE = "dashboard";
const NONE_FIRST: readonly bigint[] = [];

/**
 * Posts the next rows of a shard and keeps, in the same transaction, how far it is: killed anywhere and run on any node, each row
 * counts once. A row that the ledger refuses (a deduction above the balance) is kept as a issue and stops no other. Returns
 * false when the shard has no rows left.
 */
export async function importPoints(tx: Tx, deps: PostingDeps, file: CsvImport, batch: ShardBatch): Promise<boolean> {
  const from = await lockShard(tx, file.uid, "import", batch.shard);
  if (from === undefined) return false;
  const rows = await selectNextRows(tx, { uid: file.uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const live = rows.filter(({ isGone }) => !isGone);
  const posted = { file, action: importAction(file.uid), isFirst: batch.isTrusting };
  const outcomes = await postAllotments(
    tx,
    deps,
    live.map((row) => postingOf(deps, posted, row)),
  );
  const issues = [
    ...rows.filter(({ isGone }) => isGone).map((row) => storedIssue(row, issueOf("customer_gone", "customer", null))),
    ...live.flatMap((row, i) => refusalOf(row, outcomes[i])),
  ];
  const counts = { rows: rows.length, valid: rows.length - issues.length, ...pointsOf(outcomes) };
  await Promise.all([
    insertIssues(tx, file.uid, "import", issues),
    advanceShard(tx, { uid: file.uid, phase: "import", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

interface Posted {
  readonly file: CsvImport;
  readonly action: string;
  readonly isFirst: boolean;
}

/** Written out field by field: a file has a million of them. */
function postingOf({ random }: PostingDeps, { file, action, isFirst }: Posted, row: WorkRow): CustomerPosting {
  const posting: Posting = {
    uid: random.uid(),
    sourceKey: rowKey(file.uid, row.n),
    isFirst,
    change: changeOfRow(file, row),
    type: "csv",
    appReference: file.options.move?.source ?? APP_REFERENCE,
    object: null,
    parent: null,
    action,
    cascade: null,
    origin: file.options.origin,
    reasonType: row.reasonType,
    note: row.note,
    actor: row.note === null ? null : file.startedBy, // else `allotmentNotes` reads it of the import
    extends: row.extends ? "credit" : "never",
    expiresAt: row.expiresAt,
    earnedAt: row.datedAt,
    drawFirst: NONE_FIRST,
  };
  return { customer: row.holder, posting };
}

function changeOfRow({ options }: CsvImport, { pointValue }: WorkRow): Change {
  const points = pointValue ?? 0n;
  return options.setsBalance
    ? { kind: "set", balance: points }
    : { kind: "add", pointValue: points, shortfall: "refuse" };
}

function refusalOf(row: WorkRow, outcome: Outcome | undefined): StoredIssue[] {
  if (outcome?.kind !== "refused") return [];
  return [storedIssue(row, issueOf(outcome.code, "points", String(row.pointValue)))];
}

function pointsOf(outcomes: readonly Outcome[]): { added: bigint; taken: bigint } {
  let added = 0n;
  let taken = 0n;
  for (const outcome of outcomes) {
    if (outcome.kind !== "posted" && outcome.kind !== "duplicate") continue;
    if (outcome.pointValue > 0n) added += outcome.pointValue;
    else taken -= outcome.pointValue;
  }
  return { added, taken };
}
