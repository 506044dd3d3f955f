import { adaptiveBatchSize, type BackpressureDeps, pauseWhileBusy } from "../db/backpressure.ts";
import { isDataFault } from "../db/is-data-fault.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { lockLiveBalances } from "../ledger/balance-queries.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramAsOf } from "../program/read-program-as-of.ts";
import { localDate } from "../time/store-time.ts";
import { LOCK_SUBSCRIPTIONS_SHARED } from "../webhooks/read-active-topics.ts";
import {
  type BirthdayRun,
  lockBirthdayRun,
  saveBirthdayRun,
  selectBirthdayCustomers,
  selectLastRewarded,
} from "./birthday-queries.ts";
import { birthdaysOf, dayBefore, dueAt, mayRewardBirthday, nextDay } from "./birthdays.ts";
import { nextBirthday } from "./next-birthday.ts";
import { rewardKey, rewardPosting } from "./reward.ts";
import { readBirthdaysDoneOn, saveBirthdayRewards } from "./reward-queries.ts";

const BATCH_CUSTOMERS = { quiet: 500, busy: 25 };
/** If this many customers fail, the cause is general. */
const FAILED_MAX = 20;
const NOBODY = { afterBucket: -1, afterUid: "00000000-0000-0000-0000-000000000000" };

/**
 * Rewards the birthdays of every store day that has begun, missed days first, each by the program valid at its start (program.md 4,
 * Rewards). Works in batches that lock the progress: it may be killed at any point, run again, and run on several nodes at once; each
 * birthday is paid once. Returns how many were paid. A customer whose data fails is skipped, logged, and stops nobody else; throws at the
 * end if there were any.
 */
export async function rewardBirthdays(
  deps: PostingDeps & BackpressureDeps & Pick<Deps, "db" | "log">,
  options: { readonly signal?: AbortSignal } = {},
): Promise<number> {
  let paid = 0;
  let failed = 0;
  let passOver: string | null = null;
  let alone = 0; // how many of the next ones go one by one, as there is somebody among them whose data fails
  while (options.signal?.aborted !== true) {
    const startedMs = performance.now();
    const limit = alone > 0 ? 1 : adaptiveBatchSize(deps, BATCH_CUSTOMERS);
    alone -= Math.min(alone, 1);
    const batchOf: BatchOptions = { limit, passOver };
    passOver = null;
    try {
      const batch = await deps.db.tx((tx) => rewardBatch(tx, deps, batchOf));
      if (batch === null) break;
      paid += batch;
    } catch (error) {
      if (!isDataFault(error) || failed >= FAILED_MAX) throw error;
      alone = Math.max(alone, limit);
      if (limit > 1) continue;
      failed += 1;
      passOver = batchOf.first ?? null;
      deps.log.error({ error, customerUid: passOver }, "a birthday was not rewarded");
    }
    await pauseWhileBusy(deps, performance.now() - startedMs);
  }
  if (failed > 0) throw new Error(`the birthdays of ${failed} customers were not rewarded: see the log`);
  return paid;
}

interface BatchOptions {
  readonly limit: number;
  /** The uid of a customer who is skipped because paying failed before. */
  readonly passOver: string | null;
  /** The uid of the first customer of the batch, once known. */
  first?: string | undefined;
}

/** Rewards the next customers of the first birthday that is not done; null: none is due. */
async function rewardBatch(tx: Tx, deps: PostingDeps, options: BatchOptions): Promise<number | null> {
  const { timeZone } = (await readProgram(tx)).store;
  const today = localDate(deps.clock.now(), timeZone);
  const doneOn = await readBirthdaysDoneOn(tx, timeZone);
  if (doneOn === null || doneOn >= today) return null;
  const run = await lockBirthdayRun(tx, doneOn);
  const day = await nextBirthday(tx, nextDay(run.doneOn));
  if (day === null || day > today) {
    if (run.doneOn < today) await saveBirthdayRun(tx, { doneOn: today, ...NOBODY });
    return null;
  }
  return rewardDay(tx, deps, run, { day, startAt: dueAt(day, timeZone), options });
}

async function rewardDay(
  tx: Tx,
  deps: PostingDeps,
  run: BirthdayRun,
  {
    day,
    startAt,
    options,
  }: { readonly day: string; readonly startAt: Temporal.Instant; readonly options: BatchOptions },
): Promise<number> {
  const { limit, passOver } = options;
  const points = (await readProgramAsOf(tx, startAt)).rewards.birthday;
  const query = { birthdays: birthdaysOf(day), startAt, limit };
  const celebrants = points > 0n ? await selectBirthdayCustomers(tx, run, query) : [];
  options.first = celebrants[0]?.customerUid;
  const payable = celebrants.filter(({ customerUid }) => customerUid !== passOver);
  const paid = await pay(tx, deps, { celebrants: payable, day, points });
  await saveBirthdayRun(tx, progress(day, celebrants, limit));
  return paid;
}

/** Pays under the locks of the balances: a merge may have brought a customer the reward of another. */
async function pay(
  tx: Tx,
  deps: PostingDeps,
  { celebrants, day, points }: { celebrants: readonly CustomerRef[]; day: string; points: bigint },
): Promise<number> {
  if (celebrants.length === 0) return 0;
  const year = Number(day.slice(0, 4));
  await tx.execute(LOCK_SUBSCRIPTIONS_SHARED);
  const held = await lockLiveBalances(tx, celebrants);
  const lastOn = await selectLastRewarded(tx, celebrants);
  const due = celebrants.filter(({ customerUid }) => mayRewardBirthday(day, lastOn.get(customerUid) ?? null));
  const postings = due.map(({ bucket, customerUid }) => {
    const sourceKey = rewardKey("birthday", customerUid, year);
    const posting = rewardPosting(deps.random.uid(), { kind: "birthday", points, sourceKey });
    return { customer: { bucket, customerUid }, posting };
  });
  const outcomes = await postAllotments(tx, deps, postings, held);
  const paid = due.filter((_, i) => outcomes[i]?.kind === "posted");
  if (paid.length > 0) await saveBirthdayRewards(tx, paid, day);
  return paid.length;
}

/** Returns the progress: while a day is not done, the days before it are. */
function progress(day: string, celebrants: readonly CustomerRef[], limit: number): BirthdayRun {
  const last = celebrants.at(-1);
  if (last === undefined || celebrants.length < limit) return { doneOn: day, ...NOBODY };
  return { doneOn: dayBefore(day), afterBucket: last.bucket, afterUid: last.customerUid };
}
