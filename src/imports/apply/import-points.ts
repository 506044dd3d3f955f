import type { Tx } from "../../db/pool.ts";
import { type LockedBalance, lockLiveBalances } from "../../ledger/balance-queries.ts";
import { selectJoinedSince } from "../../ledger/merge/merge-queries.ts";
import { postAllotments } from "../../ledger/post-allotments.ts";
import type { Change, Outcome, Posting } from "../../ledger/posting.ts";
import type { CustomerPosting, PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { requestMoveReviews } from "../../orders/review/request-move-reviews.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../../webhooks/read-active-topics.ts";
import { type CsvImport, importAction, rowKey } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import { insertMovedPoints, selectMovedPoints, selectNewerThan } from "../moved-points-queries.ts";
import { isOfMerged, type ShardBatch, selectNextRows, type WorkRow } from "../row-queries.ts";
import { advanceShard, insertIssues, lockShard } from "../step-queries.ts";

/** The `app_reference` of imported points; points of another app have the app's name. */
export const APP_REFERENCE = "dashboard";
const NONE_FIRST: readonly bigint[] = [];

/**
 * Posts a shard's next rows and stores the progress in the same transaction, so that each row counts once even if the process is killed and another
 * node continues. A row that the ledger refuses (a deduction above the balance) is stored as an issue and does not stop the others. So is the balance
 * of a customer who was merged since the file was uploaded, or into whom another was: it is not that of both, whose points it would take. The points
 * of another app's file are added to the balance of a customer who is newer than the file: it states nothing of what they have earned since, and so it
 * is the same in which order the row, merges and postings come. Returns false when the shard has no rows left.
 */
export async function importPoints(tx: Tx, deps: PostingDeps, file: CsvImport, batch: ShardBatch): Promise<boolean> {
  const from = await lockShard(tx, file.uid, "import", batch.shard);
  if (from === undefined) return false;
  const rows = await selectNextRows(tx, { uid: file.uid, batch, from });
  const last = rows.at(-1);
  if (last === undefined) return false;
  const here = rows.filter(({ isGone }) => !isGone);
  const { held, before, joined, newer } = await lockMoved(tx, file, here);
  const isAdded = ({ holder }: WorkRow) => !file.options.setsBalance || newer.has(holder.customerUid);
  const isLost = (row: WorkRow) => !isAdded(row) && (isOfMerged(row) || joined.has(row.holder.customerUid));
  const received = here.filter((row) => !before.has(row.holder.customerUid) && !isLost(row));
  // a row of 0 has no effect, unless it sets the balance
  const live = received.filter((row) => row.pointValue !== null || !isAdded(row));
  const posted = { file, action: importAction(file.uid), isFirst: batch.isTrusting };
  const postings = live.map((row) => postingOf(deps, posted, row, isAdded(row)));
  const outcomes = await postAllotments(tx, deps, postings, held);
  const issues = [
    ...rows.filter(({ isGone }) => isGone).map((row) => storedIssue(row, issueOf("customer_gone", "customer", null))),
    ...here.filter(isLost).map((row) => storedIssue(row, issueOf("customer_merged", "customer", null))),
    ...here.flatMap((row) => movedBefore(row, before)),
    ...live.flatMap((row, i) => refusalOf(row, outcomes[i])),
  ];
  const counts = { rows: rows.length, valid: rows.length - issues.length, ...pointsOf(outcomes) };
  await Promise.all([
    file.options.move === null ? undefined : keepMoved(tx, deps, file, { received, live, outcomes }),
    insertIssues(tx, file.uid, "import", issues),
    advanceShard(tx, { uid: file.uid, phase: "import", shard: batch.shard }, last, counts),
  ]);
  return rows.length === batch.size;
}

interface LockedMove {
  /** The locked balances; undefined: not locked here. */
  readonly held: readonly LockedBalance[] | undefined;
  /** Points that customers received from another move of the app, by customer: they get none from this one. */
  readonly before: ReadonlyMap<string, bigint>;
  /** If balances are set: the customers into whom others were merged since the file was uploaded. */
  readonly joined: ReadonlySet<string>;
  /** If a move sets balances: the customers to whose balances its points are added, because they are newer than its file. */
  readonly newer: ReadonlySet<string>;
}

/**
 * For a move, and where balances are set: locks the balances of all rows, those without points too, because what they record is the customer's.
 * Where balances are set, finds the customers into whom others were merged, and those who are newer than the file. If a move adds points, finds the
 * customers to whom another move of the same app has given points by now. Of two simultaneous moves, the one that locks a customer first gives the points.
 */
async function lockMoved(tx: Tx, { options, createdAt }: CsvImport, rows: readonly WorkRow[]): Promise<LockedMove> {
  const { move, setsBalance, again } = options;
  if ((move === null && !setsBalance) || rows.length === 0) return { held: undefined, ...NOTHING_MOVED };
  const holders = rows.map(({ holder }) => holder);
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  const held = await lockLiveBalances(tx, holders);
  if (setsBalance) {
    const uploadedAt = move?.uploadedAt ?? createdAt;
    const joined = await selectJoinedSince(tx, held, uploadedAt);
    // a file of another kind may name a customer twice
    const newer = move === null ? NOBODY : await selectNewerThan(tx, held, { uid: move.uid, uploadedAt });
    return { ...NOTHING_MOVED, held, joined, newer };
  }
  if (move === null || again) return { held, ...NOTHING_MOVED };
  return { ...NOTHING_MOVED, held, before: await receivedBefore(tx, held, move) };
}

const NOBODY: ReadonlySet<string> = new Set();
const NOTHING_MOVED: Omit<LockedMove, "held"> = { before: new Map(), joined: NOBODY, newer: NOBODY };

type Move = NonNullable<CsvImport["options"]["move"]>;

/** Returns what customers have received from other moves of the same app, by customer. */
async function receivedBefore(
  tx: Tx,
  customers: readonly LockedBalance[],
  move: Move,
): Promise<ReadonlyMap<string, bigint>> {
  const before = new Map<string, bigint>();
  for (const { customerUid, points, source } of await selectMovedPoints(tx, customers, move.uid))
    if (source === move.source) before.set(customerUid, (before.get(customerUid) ?? 0n) + points);
  return before;
}

function movedBefore(row: WorkRow, before: ReadonlyMap<string, bigint>): StoredIssue[] {
  const points = before.get(row.holder.customerUid);
  return points === undefined ? [] : [storedIssue(row, issueOf("moved_before", "points", String(points)))];
}

/**
 * Stores what customers received according to the file; if balances are set, that is the whole balance. The file may include orders that became known
 * while the import ran.
 */
async function keepMoved(
  tx: Tx,
  deps: PostingDeps,
  { uid, startedAt }: CsvImport,
  of: {
    readonly received: readonly WorkRow[];
    readonly live: readonly WorkRow[];
    readonly outcomes: readonly Outcome[];
  },
): Promise<void> {
  const refused = new Set(of.live.filter((_, i) => of.outcomes[i]?.kind !== "posted"));
  const given = of.received.filter((row) => !refused.has(row));
  await insertMovedPoints(
    tx,
    uid,
    given.map(({ holder, pointValue }) => ({ customer: holder, points: pointValue ?? 0n })),
  );
  const customers = given.map(({ holder }) => holder);
  await requestMoveReviews(tx, deps, customers, startedAt ?? deps.clock.now());
}

interface Posted {
  readonly file: CsvImport;
  readonly action: string;
  readonly isFirst: boolean;
}

/** Sets each field explicitly, because a file has a million rows. */
function postingOf(
  { random }: PostingDeps,
  { file, action, isFirst }: Posted,
  row: WorkRow,
  isAdded: boolean,
): CustomerPosting {
  const posting: Posting = {
    uid: random.uid(),
    sourceKey: rowKey(file.uid, row.n),
    isFirst,
    change: changeOfRow(row, isAdded),
    type: "csv",
    appReference: file.options.move?.source ?? APP_REFERENCE,
    object: null,
    parent: null,
    action,
    cascade: null,
    origin: file.options.origin,
    reasonType: row.reasonType,
    note: row.note,
    actor: row.note === null ? null : file.startedBy, // otherwise `allotmentNotes` reads it from the import
    extends: row.extends ? "credit" : "never",
    expiresAt: row.expiresAt,
    earnedAt: row.datedAt,
    drawFirst: NONE_FIRST,
  };
  return { customer: row.holder, posting };
}

function changeOfRow({ pointValue }: WorkRow, isAdded: boolean): Change {
  const points = pointValue ?? 0n;
  return isAdded ? { kind: "add", pointValue: points, shortfall: "refuse" } : { kind: "set", balance: points };
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
