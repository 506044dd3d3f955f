import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type GiveWayDeps, giveWay } from "../ledger/give-way.ts";
import { politeSize } from "../ledger/polite-size.ts";
import { postAllotments } from "../ledger/post-allotments.ts";
import type { PostingDeps } from "../ledger/posting-batch.ts";
import { readProgram } from "../shop/read-program.ts";
import { readProgramAsOf } from "../shop/read-program-as-of.ts";
import { localDate } from "../shop/store-time.ts";
import {
  type BirthdayRun,
  type Celebrant,
  lockBirthdayRun,
  saveBirthdayRun,
  selectCelebrants,
} from "./birthday-queries.ts";
import { birthdaysOf, dayBefore, dueAt, mayCelebrate, nextDay } from "./birthdays.ts";
import { nextCelebration } from "./next-celebration.ts";
import { readBirthdaysDoneOn } from "./read-birthdays-done-on.ts";
import { rewardKey, rewardPosting } from "./reward.ts";
import { saveCelebrated } from "./reward-queries.ts";

const BATCH_CUSTOMERS = { quiet: 500, busy: 25 };
const NOBODY = { afterBucket: -1, afterUid: "00000000-0000-0000-0000-000000000000" };

/**
 * Rewards the birthdays of every day of the store that has begun, the days that were missed first, each by the program valid as it
 * began (program.md 4, Rewards). In batches that lock how far they are: it may be killed at any point, run again, and run on
 * several nodes at once; each birthday is paid once. Answers how many were paid.
 */
export async function rewardBirthdays(
  deps: PostingDeps & GiveWayDeps & Pick<Deps, "db">,
  options: { readonly signal?: AbortSignal } = {},
): Promise<number> {
  let paid = 0;
  while (options.signal?.aborted !== true) {
    const startedMs = performance.now();
    const limit = politeSize(deps, BATCH_CUSTOMERS);
    const batch = await deps.db.tx((tx) => rewardBatch(tx, deps, limit));
    if (batch === null) break;
    paid += batch;
    await giveWay(deps, performance.now() - startedMs);
  }
  return paid;
}

/** The next customers of the first birthday that is not done; null: none is due. */
async function rewardBatch(tx: Tx, deps: PostingDeps, limit: number): Promise<number | null> {
  const { timeZone } = (await readProgram(tx)).store;
  const today = localDate(deps.clock.now(), timeZone);
  const doneOn = await readBirthdaysDoneOn(tx, timeZone);
  if (doneOn === null || doneOn >= today) return null;
  const run = await lockBirthdayRun(tx, doneOn);
  const day = await nextCelebration(tx, nextDay(run.doneOn));
  if (day === null || day > today) {
    if (run.doneOn < today) await saveBirthdayRun(tx, { doneOn: today, ...NOBODY });
    return null;
  }
  return rewardDay(tx, deps, run, { day, startAt: dueAt(day, timeZone), limit });
}

async function rewardDay(
  tx: Tx,
  deps: PostingDeps,
  run: BirthdayRun,
  { day, startAt, limit }: { readonly day: string; readonly startAt: Temporal.Instant; readonly limit: number },
): Promise<number> {
  const points = (await readProgramAsOf(tx, startAt)).rewards.birthday;
  const wanted = { birthdays: birthdaysOf(day), startAt, limit };
  const celebrants = points > 0n ? await selectCelebrants(tx, run, wanted) : [];
  const paid = await pay(tx, deps, { celebrants, day, points });
  await saveBirthdayRun(tx, progress(day, celebrants, limit));
  return paid;
}

async function pay(
  tx: Tx,
  deps: PostingDeps,
  { celebrants, day, points }: { celebrants: readonly Celebrant[]; day: string; points: bigint },
): Promise<number> {
  const year = Number(day.slice(0, 4));
  const due = celebrants.filter(({ lastOn }) => mayCelebrate(day, lastOn));
  const postings = due.map(({ bucket, customerUid }) => {
    const sourceKey = rewardKey("birthday", customerUid, year);
    const posting = rewardPosting(deps.random.uid(), { kind: "birthday", points, sourceKey });
    return { customer: { bucket, customerUid }, posting };
  });
  const outcomes = await postAllotments(tx, deps, postings);
  const paid = due.filter((_, i) => outcomes[i]?.kind === "posted");
  if (paid.length > 0) await saveCelebrated(tx, paid, day);
  return paid.length;
}

/** While a day is not done, the days before it are. */
function progress(day: string, celebrants: readonly Celebrant[], limit: number): BirthdayRun {
  const last = celebrants.at(-1);
  if (last === undefined || celebrants.length < limit) return { doneOn: day, ...NOBODY };
  return { doneOn: dayBefore(day), afterBucket: last.bucket, afterUid: last.customerUid };
}
