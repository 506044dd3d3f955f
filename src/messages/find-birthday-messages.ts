import type { Tx } from "../db/pool.ts";
import { WANTS_MAIL } from "../mail/mail-queries.ts";
import { birthdaysOf } from "../rewards/birthdays.ts";
import { readBirthdaysDoneOn } from "../rewards/reward-queries.ts";
import { startOfDate } from "../time/store-time.ts";
import type { FindContext, FoundMessages } from "./due-message.ts";
import { dayAfter } from "./message.ts";
import {
  lockMessageRun,
  type MessageRun,
  RECIPIENT_COLUMNS,
  type Recipient,
  RUN_START,
  saveMessageRun,
  withoutAhead,
} from "./message-queries.ts";

const KIND = "birthday";
/** A message is sent at most this many days after the birthday. */
const LATE_DAYS = 1;
/** A customer who changes their birthday gets no second message within this number of days. */
const YEAR_DAYS = 330;
const KEPT_DAYS = 400;

const CELEBRANTS = `select ${RECIPIENT_COLUMNS}
from customer c
where right(c.birthday, 5) = any($1::text[])
  and c.birthday is not null
  and ${WANTS_MAIL}
  and (c.bucket, c.customer_uid) > ($2::smallint, $3::uuid)
  and not exists (
    select
    from message_sent s
    where s.bucket = c.bucket
      and s.customer_uid = c.customer_uid
      and s.kind = '${KIND}'
      and s.occasion > $4)
order by c.bucket, c.customer_uid
limit $5
for share of c`;

/** The next birthdays of today, and of yesterday if they are not finished. Where the program gives birthday points, these come first. */
export async function findBirthdayMessages(tx: Tx, context: FindContext): Promise<FoundMessages> {
  const { program, today, sendable, room } = context;
  const { timeZone } = program.store;
  const stored = withoutAhead(await lockMessageRun(tx, KIND), dayAfter(today, 1));
  const run = beginRun(stored, sendable);
  const day = dayAfter(run.doneOn ?? sendable, 1);
  if (day > sendable) {
    if (stored.doneOn === null) await saveMessageRun(tx, KIND, run);
    return { due: [], isDone: true };
  }
  if (program.rewards.birthday > 0n && ((await readBirthdaysDoneOn(tx, timeZone)) ?? "") < day)
    return { due: [], isDone: true };
  const recipients = await tx.query<Recipient>(CELEBRANTS, [
    ...[birthdaysOf(day), run.afterBucket, run.afterUid, dayAfter(day, -YEAR_DAYS), room],
  ]);
  const last = recipients.at(-1);
  const isWhole = last === undefined || recipients.length < room;
  await saveMessageRun(
    tx,
    KIND,
    isWhole ? { ...run, ...RUN_START, doneOn: day } : { ...run, afterBucket: last.bucket, afterUid: last.customerUid },
  );
  const occasion = { occasion: day, forgetOn: dayAfter(day, KEPT_DAYS) };
  const expiresAt = startOfDate(dayAfter(day, LATE_DAYS + 1), timeZone);
  return { due: recipients.map((recipient) => ({ recipient, occasion, about: {}, expiresAt })), isDone: false };
}

/** Starts with the birthdays of the day on which the kind was turned on, and skips days that are too long ago. */
function beginRun(run: MessageRun, sendable: string): MessageRun {
  const first = run.doneOn === null ? sendable : dayAfter(sendable, -LATE_DAYS);
  if (run.doneOn !== null && dayAfter(run.doneOn, 1) >= first) return run;
  return { ...run, ...RUN_START, doneOn: dayAfter(first, -1) };
}
