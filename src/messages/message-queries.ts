import type { Queryable, Tx } from "../db/pool.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { WANTS_MAIL } from "../mail/mail-queries.ts";
import type { Language } from "../wire/language.ts";
import type { MessageKind } from "../wire/messages.ts";
import { type MessageRules, type MessageSetting, messageTexts, paceBudget } from "./message.ts";

const SETTINGS = `select kind, is_on as "isOn", days_before as "daysBefore", texts
from message_setting`;

type SettingRow = Omit<MessageSetting, "texts"> & { readonly texts: unknown };
const toSetting = (row: SettingRow): MessageSetting => ({ ...row, texts: messageTexts.decode(row.texts) });

export async function selectMessageSettings(queryable: Queryable): Promise<MessageSetting[]> {
  return (await queryable.query<SettingRow>(SETTINGS)).map(toSetting);
}

export async function selectMessageSetting(
  queryable: Queryable,
  kind: MessageKind,
  locks: "share" | "update" | null = null,
): Promise<MessageSetting> {
  const text = `${SETTINGS}\nwhere kind = $1${locks === null ? "" : ` for ${locks}`}`;
  const [row] = await queryable.query<SettingRow>(text, [kind]);
  if (row === undefined) throw new Error(`the settings of ${kind} are gone`);
  return toSetting(row);
}

export async function writeMessageSetting(tx: Tx, setting: MessageSetting): Promise<void> {
  const { kind, isOn, daysBefore, texts } = setting;
  await tx.execute("update message_setting set is_on = $2, days_before = $3, texts = $4::text::jsonb where kind = $1", [
    ...[kind, isOn, daysBefore],
    JSON.stringify(messageTexts.encode(texts)),
  ]);
}

const RULES = 'select language, send_hour as "sendHour", hourly_max as "hourlyMax" from message_rule';

export async function selectMessageRules(queryable: Queryable, locks: "update" | null = null): Promise<MessageRules> {
  const [row] = await queryable.query<MessageRules>(locks === null ? RULES : `${RULES} for ${locks}`);
  if (row === undefined) throw new Error("the row of the messages' rules is gone");
  return row;
}

export async function writeMessageRules(tx: Tx, { language, sendHour, hourlyMax }: MessageRules): Promise<void> {
  await tx.execute("update message_rule set language = $1, send_hour = $2, hourly_max = $3", [
    ...[language, sendHour, hourlyMax],
  ]);
}

/** The language of customers whose own is not known. */
export async function writeMessageLanguage(tx: Tx, language: Language): Promise<void> {
  await tx.execute("update message_rule set language = $1", [language]);
}

const PACE = `select p.budget, coalesce(extract(epoch from clock_timestamp() - p.budget_at), 0)::float8 as "elapsedS"
from message_pace p
for update`;

/** How many messages may be queued now. Locks the count, so that only this transaction can use it up. */
export async function lockPace(tx: Tx, { hourlyMax }: Pick<MessageRules, "hourlyMax">): Promise<number> {
  const [row] = await tx.query<{ budget: number; elapsedS: number }>(PACE);
  if (row === undefined) throw new Error("the row of the messages' pace is gone");
  return paceBudget(row.budget, row.elapsedS, hourlyMax);
}

export async function savePace(tx: Tx, budget: number): Promise<void> {
  await tx.execute("update message_pace set budget = $1, budget_at = clock_timestamp()", [budget]);
}

/** The progress of a kind. */
export interface MessageRun {
  /** The last day that is finished, or for months the first day of the last one; null where the kind has not started. */
  readonly doneOn: string | null;
  /** For the reminder: the rules by which its days were found; for the statement: its month. */
  readonly basis: string | null;
  /** For the reminder: the index that is being read; the place in it is in the following fields. */
  readonly walk: string | null;
  readonly afterAt: string | null;
  /** The last customer of the next day who is finished, by bucket and uid. */
  readonly afterBucket: number;
  readonly afterUid: string;
}

export const RUN_START: Omit<MessageRun, "doneOn" | "basis"> = {
  walk: null,
  afterAt: null,
  afterBucket: -1,
  afterUid: "00000000-0000-0000-0000-000000000000",
};

const LOCK_RUN = `select done_on as "doneOn", basis, walk, after_at as "afterAt", after_bucket as "afterBucket", after_uid as "afterUid"
from message_run
where kind = $1
for no key update`;

/** The progress of a kind, locked until the transaction ends. */
export async function lockMessageRun(tx: Tx, kind: MessageKind): Promise<MessageRun> {
  const [row] = await tx.query<MessageRun>(LOCK_RUN, [kind]);
  if (row === undefined) throw new Error(`the run of ${kind} is gone`);
  return row;
}

/** A progress as if the kind had not started, where a clock that was ahead made it: it is later than what can be finished by now (decision 63). */
export function withoutAhead(run: MessageRun, latest: string): MessageRun {
  return run.doneOn === null || run.doneOn <= latest ? run : { ...run, ...RUN_START, doneOn: null, basis: null };
}

const SAVE_RUN = `update message_run
set done_on = $2::date,
  basis = $3,
  walk = $4,
  after_at = $5,
  after_bucket = $6,
  after_uid = $7
where kind = $1`;

export async function saveMessageRun(tx: Tx, kind: MessageKind, run: MessageRun): Promise<void> {
  const { doneOn, basis, walk, afterAt, afterBucket, afterUid } = run;
  await tx.execute(SAVE_RUN, [kind, doneOn, basis, walk, afterAt, afterBucket, afterUid]);
}

/** A customer who may get a message, and the fields that the message needs. */
export interface Recipient extends CustomerRef {
  readonly email: string;
  readonly name: string | null;
  readonly locale: string | null;
}

export const RECIPIENT_COLUMNS = `c.bucket, c.customer_uid as "customerUid", c.email, c.name, c.locale`;

// The rows are locked, so a merge or an erasure waits and then finds the recorded occasions.
const BY_REFS = `select ${RECIPIENT_COLUMNS}
from customer c
where (c.bucket, c.customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))
  and ${WANTS_MAIL}
order by c.bucket, c.customer_uid
for share of c`;

/** Those of the customers who may get messages, locked. */
export function lockRecipients(tx: Tx, refs: readonly CustomerRef[]): Promise<Recipient[]> {
  return tx.query<Recipient>(BY_REFS, refKeys(refs));
}

const NOT_SENT = `select w.bucket, w.customer_uid as "customerUid"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join customer c on c.bucket = w.bucket and c.customer_uid = w.customer_uid
where ${WANTS_MAIL}
  and not exists (
    select
    from message_sent s
    where s.bucket = w.bucket
      and s.customer_uid = w.customer_uid
      and s.kind = $3
      and s.occasion > $4
      and s.occasion < $5)
order by w.bucket, w.customer_uid
limit $6`;

/** Those of the customers who may get messages, and who got none of a kind about an occasion between the two given ones. */
export function selectNotSent(
  queryable: Queryable,
  refs: readonly CustomerRef[],
  range: { readonly kind: MessageKind; readonly after: string; readonly before: string; readonly limit: number },
): Promise<CustomerRef[]> {
  const { kind, after, before, limit } = range;
  return queryable.query<CustomerRef>(NOT_SENT, [...refKeys(refs), kind, after, before, limit]);
}

/** An occasion of one kind for a message to a customer. */
export interface MessageOccasion extends CustomerRef {
  readonly occasion: string;
  /** `YYYY-MM-DD`; from this day on the occasion cannot occur again. */
  readonly forgetOn: string;
}

const CLAIM = `insert into message_sent (bucket, customer_uid, kind, occasion, sent_at, forget_on)
select o.bucket, o.customer_uid, $5, o.occasion, $6, o.forget_on::date
from unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[]) as o (bucket, customer_uid, occasion, forget_on)
on conflict do nothing
returning customer_uid as "customerUid"`;

/** Records occasions, at most one per customer. Returns the customers whose occasion was new; only these get a message. */
export async function claimOccasions(
  tx: Tx,
  kind: MessageKind,
  occasions: readonly MessageOccasion[],
  at: Temporal.Instant,
): Promise<Set<string>> {
  if (occasions.length === 0) return new Set();
  const lists = [occasions.map(({ occasion }) => occasion), occasions.map(({ forgetOn }) => forgetOn)];
  const rows = await tx.query<{ customerUid: string }>(CLAIM, [...refKeys(occasions), ...lists, kind, at]);
  return new Set(rows.map(({ customerUid }) => customerUid));
}

const PRUNE_ROWS = 10_000;
const PRUNE = `delete from message_sent
where ctid in (
  select ctid
  from message_sent
  where forget_on < $1::date
  limit ${PRUNE_ROWS})`;

/** Deletes some occasions that cannot occur again; returns whether there may be more. */
export async function deleteOldOccasions(queryable: Queryable, today: string): Promise<boolean> {
  return (await queryable.execute(PRUNE, [today])) === PRUNE_ROWS;
}

/** Deletes all recorded changes of tier that a message might have been about. */
export async function dropTierChanges(tx: Tx): Promise<void> {
  await tx.execute("delete from message_tier_change");
}
