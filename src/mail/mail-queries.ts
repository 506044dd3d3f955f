import { isLeaseOver, leasesOf } from "../db/lease.ts";
import type { Queryable } from "../db/pool.ts";
import type { MailCategory } from "./mail.ts";

/** A mail that this process has leased and sends. */
export interface LeasedMail {
  readonly uid: string;
  readonly leaseUid: string;
  readonly category: MailCategory;
  readonly recipient: string;
  /** The bucket of the mail's customer; null where the mail is to a person of the store. */
  readonly bucket: number | null;
  readonly customerUid: string | null;
  readonly subject: string;
  readonly sealed: Buffer;
  readonly expiresAt: Temporal.Instant | null;
  /** Including the attempt that begins now. */
  readonly attempts: number;
}

/** Seconds; longer than an attempt may take. */
const LEASE_S = 150;

export const MAIL_LEASES = leasesOf<LeasedMail>({
  update: "update mail",
  key: "uid",
  free: `select w.uid
  from mail w
  where w.state = 'waiting'
    and ${isLeaseOver("w")}
  order by w.priority, w.lease_until, w.uid`,
  columns: `l.uid, l.lease_uid as "leaseUid", l.category, l.recipient, l.bucket, l.customer_uid as "customerUid", l.subject, l.content_sealed as "sealed",
  l.expires_at as "expiresAt", l.attempts`,
  seconds: LEASE_S,
});

export interface MailEnd {
  /** `withdrawn`: it is not sent because its recipient does not receive mails any more. */
  readonly state: "sent" | "failed" | "expired" | "withdrawn";
  readonly error: string | null;
}

/**
 * SQL condition: customer `c` receives mails. The customer consents, has not unsubscribed, and has an address and an account that is not
 * disabled. An address that was unsubscribed for one customer receives no mails for another one.
 */
export const WANTS_MAIL = `c.accepts_marketing
  and c.unsubscribed_at is null
  and c.deleted_at is null
  and c.account_enabled is not false
  and c.email is not null
  and not exists (
    select
    from customer o
    where o.email = c.email
      and o.unsubscribed_at is not null
      and o.deleted_at is null)`;

const IS_WELCOME = `select
from customer c
where c.bucket = $1
  and c.customer_uid = $2
  and c.email = $3
  and ${WANTS_MAIL}`;

/** Whether a mail to a customer may still be sent; consent or the account may have changed while it was waiting. */
export async function mayStillSend(
  queryable: Queryable,
  { bucket, customerUid, recipient }: Pick<LeasedMail, "bucket" | "customerUid" | "recipient">,
): Promise<boolean> {
  if (customerUid === null) return true;
  return (await queryable.query(IS_WELCOME, [bucket, customerUid, recipient])).length > 0;
}

const END = `update mail
set state = $3,
  error = $4,
  content_sealed = null,
  ended_at = clock_timestamp(),
  lease_uid = null
where uid = $1
  and lease_uid = $2`;

/** Records how a mail ended and deletes its content. Returns whether the lease was still held. */
export async function endMail(
  queryable: Queryable,
  { uid, leaseUid }: LeasedMail,
  { state, error }: MailEnd,
): Promise<boolean> {
  return (await queryable.execute(END, [uid, leaseUid, state, error])) === 1;
}

const NOTE_FAILURE = `update mail
set error = $3
where uid = $1
  and lease_uid = $2`;

/** Records why the last attempt failed, for a mail that is tried again. */
export async function recordMailFailure(queryable: Queryable, mail: LeasedMail, error: string): Promise<void> {
  await queryable.execute(NOTE_FAILURE, [mail.uid, mail.leaseUid, error]);
}

const COUNT_WAITING = `select count(*)::integer as count
from (
  select
  from mail
  where state = 'waiting'
  limit $1) w`;

/** The number of waiting mails, counted up to `max`. */
export async function countWaitingMails(queryable: Queryable, max: number): Promise<number> {
  const [row] = await queryable.query<{ count: number }>(COUNT_WAITING, [max]);
  return row?.count ?? 0;
}

export interface SealedMail {
  readonly uid: string;
  readonly sealed: Buffer;
}

const SELECT_SEALED = `select uid, content_sealed as sealed
from mail
where content_sealed is not null
  and uid > $1
order by uid
limit 100`;

/** Encrypted contents of waiting mails, by uid after `after`, 100 at a time. */
export function selectSealedMails(queryable: Queryable, after: string): Promise<SealedMail[]> {
  return queryable.query<SealedMail>(SELECT_SEALED, [after]);
}

/** A mail in the form in which the log shows it. */
export interface LoggedMail {
  readonly uid: string;
  readonly category: MailCategory;
  readonly recipient: string;
  /** The storefront id; null where the mail is to a person of the store, or the customer no longer exists. */
  readonly customerId: string | null;
  readonly subject: string;
  readonly state: "waiting" | MailEnd["state"];
  readonly createdAt: Temporal.Instant;
  readonly endedAt: Temporal.Instant | null;
  readonly attempts: number;
  readonly error: string | null;
}

/** The filters of the mail log; an absent one includes every mail. */
export interface MailLogFilter {
  readonly category?: MailCategory | undefined;
  readonly state?: LoggedMail["state"] | undefined;
  /** A complete address; upper and lower case are equal. */
  readonly recipient?: string | undefined;
}

/** SQL for the conditions of the given filters, whose values it adds to the parameters. */
function conditionsOf({ category, state, recipient }: MailLogFilter, params: (string | number)[]): string {
  return Object.entries({ category, state, recipient: recipient?.toLowerCase() })
    .flatMap(([column, value]) => (value === undefined ? [] : [`\n  and m.${column} = $${params.push(value)}`]))
    .join("");
}

const LAST_UID = "ffffffff-ffff-ffff-ffff-ffffffffffff";

/** The newest mails, sent or not, before a given one. */
export function selectMailLog(
  queryable: Queryable,
  options: MailLogFilter & { readonly before?: string | undefined; readonly limit: number },
): Promise<LoggedMail[]> {
  const { before = LAST_UID, limit, ...filter } = options;
  const params: (string | number)[] = [before, limit];
  return queryable.query<LoggedMail>(
    `select m.uid, m.category, m.recipient, m.subject, m.state, m.created_at as "createdAt", m.ended_at as "endedAt", m.attempts,
  m.error, c.storefront_id as "customerId"
from mail m
left join customer c on c.bucket = m.bucket and c.customer_uid = m.customer_uid and c.deleted_at is null
where m.uid < $1${conditionsOf(filter, params)}
order by m.uid desc
limit $2`,
    params,
  );
}

/** The number of mails in the log, counted up to `max`. */
export async function countMailLog(queryable: Queryable, filter: MailLogFilter, max: number): Promise<number> {
  const params: (string | number)[] = [max];
  const [row] = await queryable.query<{ count: number }>(
    `select count(*)::integer as count
from (
  select 1
  from mail m
  where true${conditionsOf(filter, params)}
  limit $1) m`,
    params,
  );
  return row?.count ?? 0;
}
