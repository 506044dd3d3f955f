import type { Queryable } from "../../db/pool.ts";
import type { ReceiptState } from "../../intake/receipt.ts";
import type { EventWarning } from "../../wire/event-warnings.ts";
import { COUNTED_MAX } from "../../wire/limits.ts";
import { countUpToMax } from "../count-queries.ts";
import { allOf, type Binder, createBinder } from "../list.ts";

/** Warnings that were stored by earlier versions have no kind and no values. */
type StoredWarning = Pick<EventWarning, "pointer" | "detail"> & Partial<EventWarning>;

/** A receipt in a list. */
export interface ReceiptFacts {
  readonly uid: string;
  readonly adapter: string;
  readonly topic: string;
  readonly subject: string;
  readonly state: ReceiptState;
  readonly note: string | null;
  readonly attempts: number;
  readonly receivedAt: Temporal.Instant;
  readonly dueAt: Temporal.Instant;
  readonly hasWarnings: boolean;
}

export interface ReceiptFilters {
  readonly state: ReceiptState | null;
  readonly topic: string | null;
  /** Only receipts with warnings. */
  readonly isWarned: boolean;
  /** Only receipts about one of these; null: about anything. */
  readonly subjects: readonly string[] | null;
}

interface ReceiptPageQuery {
  /** The uid of the previous page's last row. */
  readonly after: string | null;
  readonly rows: number;
}

const FIELDS = `r.uid,
  r.adapter,
  r.topic,
  r.subject,
  r.state,
  r.note,
  r.attempts,
  r.received_at as "receivedAt",
  r.due_at as "dueAt",
  exists (select from receipt_warning w where w.uid = r.uid) as "hasWarnings"`;

// The literals beside the parameters let the planner use the partial indexes, because it does not know a parameter's value.
const ofSubjects = (subjects: string) => `(r.subject = any(${subjects}) and r.subject like 'order/%'
    or r.subject = any(${subjects}) and r.subject like 'customer/%'
    or r.subject = any(${subjects}) and r.state in ('new', 'waiting'))`;

/** SQL for the receipts that the filters show, those after a position if there is one. */
function listed(
  { bindIf }: Binder,
  { state, topic, isWarned, subjects }: ReceiptFilters,
  after: string | null = null,
): string {
  return `from ${isWarned ? "receipt_warning v\njoin receipt r on r.uid = v.uid" : "receipt r"}
where ${allOf([
    bindIf(after, (n) => `${uidOf(isWarned)} < ${n}`),
    state === null ? null : `r.state = '${state}'`,
    bindIf(topic, (n) => `r.topic = ${n}`),
    bindIf(subjects, ofSubjects),
  ])}`;
}

const uidOf = (isWarned: boolean) => (isWarned ? "v.uid" : "r.uid");

/** Returns a page of receipts, newest first. */
export function selectListedReceipts(
  queryable: Queryable,
  filters: ReceiptFilters,
  { after, rows }: ReceiptPageQuery,
): Promise<ReceiptFacts[]> {
  const binder = createBinder();
  const text = `select ${FIELDS}
${listed(binder, filters, after)}
order by ${uidOf(filters.isWarned)} desc
limit ${binder.bind(rows)}`;
  return queryable.query<ReceiptFacts>(text, binder.params);
}

/** Returns how many receipts the filters show, at most `COUNTED_MAX` plus one. */
export function countListedReceipts(queryable: Queryable, filters: ReceiptFilters): Promise<number> {
  const binder = createBinder();
  return countUpToMax(queryable, `select 1\n${listed(binder, filters)}`, binder.params);
}

export interface OneReceipt extends ReceiptFacts {
  readonly deliveryKey: string;
  readonly warnings: readonly StoredWarning[];
  readonly headers: Readonly<Record<string, string>> | null;
  readonly body: Buffer | null;
  /** The customer's id in the event. If the other fields are null, the customer is unknown. */
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
  readonly orderId: string | null;
  readonly orderName: string | null;
}

const SELECT_ONE = `select ${FIELDS},
  r.delivery_key as "deliveryKey",
  coalesce((select w.warnings from receipt_warning w where w.uid = r.uid), '[]') as warnings,
  r.headers,
  r.body,
  s.customer_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail",
  s.order_id as "orderId",
  o.order_name as "orderName"
from receipt r
cross join lateral (
  select substring(r.subject from '^customer/(.*)$') as customer_id,
    substring(r.subject from '^order/(.*)$') as order_id) s
left join customer_alias k on k.storefront_id = s.customer_id
left join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
left join store_order o on o.order_id = s.order_id
where r.uid = $1`;

export async function selectOneReceipt(queryable: Queryable, uid: string): Promise<OneReceipt | undefined> {
  const [row] = await queryable.query<OneReceipt>(SELECT_ONE, [uid]);
  return row;
}

const counted = (state: ReceiptState) => `(
    select count(*)
    from (
      select
      from receipt
      where state = '${state}'
      limit ${COUNTED_MAX}) counted)`;

const COUNT = `select ${counted("new")} as new,
  ${counted("waiting")} as waiting,
  ${counted("failed")} as failed,
  ${counted("quarantined")} as quarantined`;

export type UndoneState = Exclude<ReceiptState, "done">;

/** Returns how many receipts of each unfinished state there are, counted up to a limit. */
export async function countUndone(queryable: Queryable): Promise<Readonly<Record<UndoneState, bigint>>> {
  const [row] = await queryable.query<Record<UndoneState, bigint>>(COUNT);
  return row ?? { new: 0n, waiting: 0n, failed: 0n, quarantined: 0n };
}

// Steps from one topic to the next in the index: there are few topics and millions of receipts.
const SELECT_TOPICS = `with recursive told as (
  (select topic
  from receipt
  order by topic
  limit 1)
  union all
  select (
    select r.topic
    from receipt r
    where r.topic > told.topic
    order by r.topic
    limit 1)
  from told
  where told.topic is not null)
select topic
from told
where topic is not null`;

/** Returns every topic of which there are receipts. */
export async function selectTopics(queryable: Queryable): Promise<string[]> {
  return (await queryable.query<{ topic: string }>(SELECT_TOPICS)).map(({ topic }) => topic);
}

const SELECT_STUCK = `select r.uid
from receipt r
where r.state = $1
  and r.state in ('waiting', 'failed', 'quarantined')
  and r.uid > coalesce($2::uuid, '00000000-0000-0000-0000-000000000000')
order by r.uid
limit $3`;

/** Returns receipts of a state in the order of their arrival, after a given one. */
export async function selectStuckUids(
  queryable: Queryable,
  { state, after, rows }: { readonly state: ReceiptState; readonly after: string | null; readonly rows: number },
): Promise<string[]> {
  return (await queryable.query<{ uid: string }>(SELECT_STUCK, [state, after, rows])).map(({ uid }) => uid);
}
