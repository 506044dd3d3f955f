import type { Tx } from "../db/pool.ts";
import type { CustomerRef } from "../ledger/customer-ref.ts";
import { startOfDate } from "../time/store-time.ts";
import type { DueMessage, FindContext, FoundMessages } from "./due-message.ts";
import { dayAfter, monthAfter } from "./message.ts";
import {
  lockMessageRun,
  lockRecipients,
  type MessageRun,
  RUN_START,
  saveMessageRun,
  withoutAhead,
} from "./message-queries.ts";
import { readMonthSums } from "./read-month-sums.ts";

const KIND = "statement";
/** Customers that one transaction reads. */
const SLICE = 5_000;
const KEPT_MONTHS = 3;
/** A statement is sent at most this many days after the end of its month. */
const LATE_DAYS = 20;

// The row of the balance shows whether something happened in the month: its last allotment is not before the month. A left join, because a
// slice with fewer rows is taken for the last one. Its balances are read first: a Citus would otherwise bring all of them to the coordinator.
const NEXT = `with s as materialized (
  select c.bucket, c.customer_uid, c.accepts_marketing, c.unsubscribed_at, c.deleted_at, c.email
  from customer c
  where (c.bucket, c.customer_uid) > ($1::smallint, $2::uuid)
  order by c.bucket, c.customer_uid
  limit ${SLICE}),
b as materialized (
  select b.bucket, b.customer_uid, b.last_allotted_at
  from s
  join balance b on b.bucket = s.bucket and b.customer_uid = s.customer_uid)
select s.bucket, s.customer_uid as "customerUid",
  s.accepts_marketing is true
    and s.unsubscribed_at is null
    and s.deleted_at is null
    and s.email is not null
    and b.last_allotted_at >= $3 as "isCandidate"
from s
left join b on b.bucket = s.bucket and b.customer_uid = s.customer_uid
order by s.bucket, s.customer_uid`;

/**
 * The next statements of the previous month, for customers with a change in it. One pass over all customers per month, by key and in slices.
 * It starts with the month in which the kind was turned on.
 */
export async function findStatements(tx: Tx, context: FindContext): Promise<FoundMessages> {
  const { program, sendable, room } = context;
  const { timeZone } = program.store;
  const month = monthAfter(sendable, -1);
  const stored = withoutAhead(await lockMessageRun(tx, KIND), monthAfter(month, 1));
  const doneOn = stored.doneOn ?? month;
  const isLate = sendable > dayAfter(monthAfter(month, 1), LATE_DAYS);
  if (doneOn >= month || isLate) {
    if (stored.doneOn === null || (isLate && doneOn < month))
      await saveMessageRun(tx, KIND, { ...stored, ...RUN_START, doneOn: month });
    return { due: [], isDone: true };
  }
  // A month that was not finished before the next one began is skipped.
  const run: MessageRun = stored.basis === month ? stored : { ...stored, ...RUN_START, basis: month };
  const start = startOfDate(month, timeZone);
  const end = startOfDate(monthAfter(month, 1), timeZone);
  const slice = await tx.query<CustomerRef & { isCandidate: boolean | null }>(NEXT, [
    ...[run.afterBucket, run.afterUid, start],
  ]);
  const candidates = slice.filter(({ isCandidate }) => isCandidate === true).slice(0, room);
  const recipients = await lockRecipients(tx, candidates);
  const sums = await readMonthSums(tx, recipients, { start, end });
  const last = candidates.length < room ? slice.at(-1) : candidates.at(-1);
  const isWhole = candidates.length < room && slice.length < SLICE;
  await saveMessageRun(
    tx,
    KIND,
    isWhole || last === undefined
      ? { ...run, ...RUN_START, doneOn: month }
      : { ...run, afterBucket: last.bucket, afterUid: last.customerUid },
  );
  const occasion = { occasion: month, forgetOn: monthAfter(month, KEPT_MONTHS) };
  const expiresAt = startOfDate(dayAfter(monthAfter(month, 1), LATE_DAYS + 1), timeZone);
  const due = recipients.flatMap((recipient): DueMessage[] => {
    const found = sums.get(recipient.customerUid);
    return found === undefined
      ? []
      : [{ recipient, occasion, about: { month: { ...found, first: month } }, expiresAt }];
  });
  return { due, isDone: false };
}
