import type { Tx } from "../db/pool.ts";
import { bucketOf, type CustomerRef } from "../ledger/customer-ref.ts";
import { advanceExpiryDays, type DueCandidate, type DueIndex, selectDuePage } from "../ledger/expiry/due-queries.ts";
import { dueSearch } from "../ledger/expiry/due-search.ts";
import { balanceExpiry, type ExpiryRules } from "../ledger/expiry/expiry.ts";
import { readUpcoming } from "../ledger/read/read-upcoming.ts";
import { localDate, startOfDate } from "../time/store-time.ts";
import { MESSAGE_DAYS } from "../wire/messages.ts";
import type { DueMessage, FindContext, FoundMessages } from "./due-message.ts";
import { dayAfter } from "./message.ts";
import {
  lockMessageRun,
  lockRecipients,
  type MessageRun,
  type Recipient,
  RUN_START,
  saveMessageRun,
  selectNotSent,
  withoutAhead,
} from "./message-queries.ts";

const KIND = "expiry_reminder" as const;
const PAGE_ROWS = 500;
/** A reminder is about what expires within this number of days from its date; no second reminder is sent about these days. */
const SPAN_DAYS = 7;
const KEPT_DAYS = 30;

/**
 * The next reminders: for the first unfinished day, up to the setting's number of days from now. They are found with the indexes of the
 * expiry sweep, so the cost depends on how much expires on that day. Where the expiry rules have changed, the days ahead are processed again,
 * and customers who already got a reminder about a day get no second one.
 */
export async function findExpiryReminders(tx: Tx, context: FindContext): Promise<FoundMessages> {
  const { program, setting, today, sendable } = context;
  const stored = withoutAhead(await lockMessageRun(tx, KIND), dayAfter(today, MESSAGE_DAYS.max + 1));
  const rules: ExpiryRules = { ...program.expiration, timeZone: program.store.timeZone };
  const basis = JSON.stringify({ ...rules, shortenedAt: rules.shortenedAt?.toString() ?? null });
  const isNew = stored.doneOn === null || stored.doneOn < today || stored.basis !== basis;
  const run: MessageRun = isNew ? { ...RUN_START, doneOn: today, basis } : stored;
  const day = dayAfter(run.doneOn ?? today, 1);
  if (day > dayAfter(sendable, setting.daysBefore)) {
    if (isNew) await saveMessageRun(tx, KIND, run);
    return { due: [], isDone: true };
  }
  const walks = walksOf(rules, day);
  const walk = walks.find(({ index }) => index === run.walk) ?? walks[0];
  if (walk === undefined) {
    await saveMessageRun(tx, KIND, { ...RUN_START, doneOn: day, basis });
    return { due: [], isDone: false };
  }
  const page = await selectDuePage(tx, walk.index, { ...walk, after: placeOf(run) ?? walk.after, rows: PAGE_ROWS });
  // The index still has customers who were active since under an earlier day. They are moved to the right day and found when it is processed.
  await advanceExpiryDays(
    tx,
    page.filter(({ isBehind }) => isBehind),
  );
  const candidates = candidatesOf(page, { rules, day, index: walk.index }).filter((ref) => isAfter(ref, run.afterUid));
  const range = { kind: KIND, after: dayAfter(day, -SPAN_DAYS), before: dayAfter(day, SPAN_DAYS), limit: context.room };
  const examined = await selectNotSent(tx, candidates, range);
  const due = await remindersOf(tx, context, { rules, day, recipients: await lockRecipients(tx, examined) });
  const isWhole = examined.length < context.room;
  await saveMessageRun(
    tx,
    KIND,
    isWhole ? nextRun({ run, walks, walk, page, day }) : skipTo(run, walk.index, examined),
  );
  return { due, isDone: false };
}

interface Walk {
  readonly index: DueIndex;
  /** The place in the index at which the day begins; null: at the start of the index. */
  readonly after: Pick<DueCandidate, "at" | "bucket"> | null;
  readonly until: Temporal.Instant | string;
}

const LAST_BUCKET = 255;

/** The ranges of the indexes that contain what expires on a day of the store; none where nothing expires on it. */
function walksOf(rules: ExpiryRules, day: string): Walk[] {
  const before = dueSearch(rules, startOfDate(dayAfter(day, -1), rules.timeZone));
  const search = dueSearch(rules, startOfDate(day, rules.timeZone));
  if (Temporal.Instant.compare(before.datedUntil, search.datedUntil) >= 0) return [];
  const dated: Walk = {
    index: "dated",
    after: { at: before.datedUntil, bucket: LAST_BUCKET },
    until: search.datedUntil,
  };
  if (search.undated === null) return [dated];
  const { by, lastStart } = search.undated;
  const from = before.undated?.lastStart ?? null;
  if (by === "since") return [dated, { index: by, after: from && { at: from, bucket: LAST_BUCKET }, until: lastStart }];
  // Rows of one UTC day may expire on two days of the store, so the first day of the range is read again.
  const after = from && { at: dayAfter(localDate(from, "UTC"), -1), bucket: LAST_BUCKET };
  return [dated, { index: by, after, until: localDate(lastStart, "UTC") }];
}

/** The place of the run within an index range; null: at its start. */
function placeOf({ walk, afterAt, afterBucket }: MessageRun): Pick<DueCandidate, "at" | "bucket"> | null {
  if (walk === null || afterAt === null) return null;
  return { at: walk === "day" ? afterAt : Temporal.Instant.from(afterAt), bucket: afterBucket };
}

/** The customers of a page with points that expire on the day, each once, in key order. */
function candidatesOf(
  page: readonly DueCandidate[],
  { rules, day, index }: { readonly rules: ExpiryRules; readonly day: string; readonly index: DueIndex },
): CustomerRef[] {
  const due = page.filter((row) => {
    if (index !== "day") return true;
    const at = balanceExpiry({ ...row, soonestExpiresAt: null }, rules);
    return at !== null && localDate(at, rules.timeZone) === day;
  });
  const byUid = new Map(due.map(({ bucket, customerUid }) => [customerUid, { bucket, customerUid }]));
  return [...byUid.values()].sort((a, b) => a.bucket - b.bucket || (a.customerUid < b.customerUid ? -1 : 1));
}

function isAfter({ bucket, customerUid }: CustomerRef, afterUid: string): boolean {
  if (afterUid === RUN_START.afterUid) return true;
  const afterBucket = bucketOf(afterUid);
  return bucket > afterBucket || (bucket === afterBucket && customerUid > afterUid);
}

/** Where there was room for only some customers of a page, the next batch continues with the others. */
function skipTo(run: MessageRun, index: DueIndex, examined: readonly CustomerRef[]): MessageRun {
  return { ...run, walk: index, afterUid: examined.at(-1)?.customerUid ?? run.afterUid };
}

function nextRun({
  run,
  walks,
  walk,
  page,
  day,
}: {
  readonly run: MessageRun;
  readonly walks: readonly Walk[];
  readonly walk: Walk;
  readonly page: readonly DueCandidate[];
  readonly day: string;
}): MessageRun {
  const last = page.at(-1);
  if (last !== undefined && page.length >= PAGE_ROWS)
    return { ...run, ...RUN_START, walk: walk.index, afterAt: last.at.toString(), afterBucket: last.bucket };
  const next = walks[walks.indexOf(walk) + 1];
  return next === undefined ? { ...run, ...RUN_START, doneOn: day } : { ...run, ...RUN_START, walk: next.index };
}

async function remindersOf(
  tx: Tx,
  { now }: FindContext,
  found: { readonly rules: ExpiryRules; readonly day: string; readonly recipients: readonly Recipient[] },
): Promise<DueMessage[]> {
  const { rules, day, recipients } = found;
  const balances = await Promise.all(recipients.map((recipient) => readUpcoming(tx, recipient, rules, now)));
  return recipients.flatMap((recipient, i) => {
    const upcoming = balances[i]?.expiries ?? [];
    const dayOf = ({ expiresAt }: { expiresAt: Temporal.Instant }) => localDate(expiresAt, rules.timeZone);
    if (!upcoming.some((expiry) => dayOf(expiry) === day)) return [];
    const near = upcoming.filter((expiry) => dayOf(expiry) >= day && dayOf(expiry) < dayAfter(day, SPAN_DAYS));
    const points = near.reduce((sum, expiry) => sum + expiry.points, 0n);
    const occasion = { occasion: day, forgetOn: dayAfter(day, KEPT_DAYS) };
    const expiresAt = startOfDate(day, rules.timeZone);
    return [{ recipient, occasion, about: { expiry: { points, on: day } }, expiresAt }];
  });
}
