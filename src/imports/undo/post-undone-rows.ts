import type { Tx } from "../../db/pool.ts";
import type { LockedBalance } from "../../ledger/balance-queries.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import { readExpired } from "../../ledger/expiry/read-expired.ts";
import { writeOffBesideHolds } from "../../ledger/expiry/write-off-beside-holds.ts";
import { allotmentName, groupCarried, versionsOf } from "../../ledger/merge/carried-lots.ts";
import { readCarried } from "../../ledger/merge/read-carried.ts";
import { postAllotments } from "../../ledger/post-allotments.ts";
import { type Outcome, type Posting, plainPosting } from "../../ledger/posting.ts";
import type { CustomerPosting, PostingDeps } from "../../ledger/queue/posting-batch.ts";
import { APP_REFERENCE } from "../apply/import-points.ts";
import { type CsvImport, importAction, importUndoKey, rowKey } from "../csv-import.ts";
import { issueOf, type StoredIssue, storedIssue } from "../issue.ts";
import type { WorkRow } from "../row-queries.ts";

/** The posting of a row. */
interface PostedRow extends CustomerRef {
  readonly row: WorkRow;
  readonly version: bigint;
  readonly pointValue: bigint;
  /** The holder's allotments that have what is left of it: others than the row's if its customer was merged. */
  readonly ownVersions: readonly bigint[];
}

interface UndoneRow extends PostedRow {
  /** Of given points: those that have expired or are due to. They are already gone, and undoing takes no other points instead. */
  readonly expired: bigint;
}

const SELECT_POSTED = `select a.source_key as "sourceKey",
  a.bucket,
  a.customer_uid as "customerUid",
  a.version,
  a.point_value as "pointValue"
from allotment a
where a.source_key = any($1::text[])
  and a.source_key not like 'api/%'`;

/** What undoing rows came to. */
interface UndonePoints {
  /** What could not be taken or given back, without expired points. */
  readonly issues: readonly StoredIssue[];
  readonly added: bigint;
  readonly taken: bigint;
}

/**
 * Posts what undoes rows, each once: points that were given and have not expired are taken, their own lots first and at most the balance; points that
 * were taken are returned with their old dates. `held`: the balances of the rows' holders, locked.
 */
export async function postUndoneRows(
  tx: Tx,
  deps: PostingDeps,
  file: CsvImport,
  { rows, held }: { readonly rows: readonly WorkRow[]; readonly held: readonly LockedBalance[] },
): Promise<UndonePoints> {
  const candidates = await selectPosted(tx, file.uid, rows);
  const live = candidates.filter(({ row }) => !row.isGone);
  const { posted, outcomes } = await post(tx, deps, file, { rows: live, held });
  const moved = outcomes.map(pointsOf);
  return {
    issues: [...posted.flatMap((each, i) => leftOf(each, outcomes[i])), ...goneOf(candidates)],
    added: moved.reduce((sum, points) => (points > 0n ? sum + points : sum), 0n),
    taken: moved.reduce((sum, points) => (points < 0n ? sum - points : sum), 0n),
  };
}

/** Posts what undoes rows. Which of their points have expired is read under the locks of the balances, at the time at which they are taken. */
async function post(
  tx: Tx,
  deps: PostingDeps,
  file: CsvImport,
  { rows, held }: { readonly rows: readonly PostedRow[]; readonly held: readonly LockedBalance[] },
): Promise<{ readonly posted: readonly UndoneRow[]; readonly outcomes: readonly Outcome[] }> {
  if (rows.length === 0) return { posted: [], outcomes: [] };
  const now = deps.clock.now();
  const still = { ...deps, clock: { now: () => now } };
  const given = rows.filter(({ pointValue }) => pointValue > 0n);
  const balances = await writeOffBesideHolds(tx, still, held);
  const expired = await readExpired(tx, given, now);
  const posted = rows.map((row) => ({ ...row, expired: expired.get(allotmentName(row)) ?? 0n }));
  const postings = posted.map((each) => postingOf(deps, file, each));
  return { posted, outcomes: await postAllotments(tx, still, postings, balances) };
}

async function selectPosted(tx: Tx, uid: string, rows: readonly WorkRow[]): Promise<PostedRow[]> {
  const keys = rows.map(({ n }) => rowKey(uid, n));
  const found = await tx.query<Omit<PostedRow, "row" | "ownVersions"> & { sourceKey: string }>(SELECT_POSTED, [keys]);
  const byKey = new Map(found.map((each) => [each.sourceKey, each]));
  const posted = rows.flatMap((row) => {
    const each = byKey.get(rowKey(uid, row.n));
    return each === undefined ? [] : [{ ...each, row }];
  });
  const carried = await readCarried(
    tx,
    posted.filter(({ row, customerUid, pointValue }) => pointValue > 0n && row.holder.customerUid !== customerUid),
  );
  const carriedOf = groupCarried(carried);
  return posted.map((each) => ({ ...each, ownVersions: versionsOf(each, each.row.holder, carriedOf) }));
}

function postingOf(deps: PostingDeps, { uid, options, undoneBy }: CsvImport, each: UndoneRow): CustomerPosting {
  const { row, version, pointValue, ownVersions, expired, bucket, customerUid } = each;
  const isOwn = row.holder.customerUid === customerUid;
  const plain = plainPosting(deps.random.uid(), "csv", APP_REFERENCE, {
    kind: "add",
    pointValue: expired - pointValue,
    shortfall: "cap",
  });
  const posting: Posting = {
    ...plain,
    change:
      pointValue > 0n
        ? plain.change
        : {
            kind: "give_back",
            pointValue: -pointValue,
            ofVersion: version,
            skip: 0n,
            ...(isOwn ? {} : { of: { bucket, customerUid } }),
          },
    sourceKey: importUndoKey(uid, row.n),
    action: importAction(uid),
    origin: options.origin,
    reasonType: row.reasonType,
    note: row.note,
    actor: undoneBy,
    drawFirst: pointValue > 0n ? ownVersions : [],
  };
  return { customer: row.holder, posting };
}

function pointsOf(outcome: Outcome): bigint {
  return outcome.kind === "posted" || outcome.kind === "duplicate" ? outcome.pointValue : 0n;
}

/** Returns the row's points that could not be taken, or given back, without expired ones. */
function leftOf({ row, pointValue, expired }: UndoneRow, outcome: Outcome | undefined): StoredIssue[] {
  const left = pointValue - expired + (outcome === undefined ? 0n : pointsOf(outcome));
  if (left === 0n) return [];
  return [storedIssue(row, issueOf("points_left", "points", left.toString()))];
}

function goneOf(candidates: readonly PostedRow[]): StoredIssue[] {
  const gone = candidates.filter(({ row }) => row.isGone);
  return gone.map(({ row }) => storedIssue(row, issueOf("customer_gone", "customer", null)));
}
