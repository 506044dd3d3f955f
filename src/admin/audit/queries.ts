import type { Actor } from "../../actor.ts";
import type { Queryable } from "../../db/pool.ts";
import { countUpToMax } from "../count-queries.ts";
import { allOf, type Binder, createBinder, type TimeRange } from "../list.ts";

export interface AuditFilter extends TimeRange {
  /** A uid, or a kind of actor. */
  readonly actor: string | null;
  readonly action: string | null;
  readonly subjectKind: string | null;
  readonly subjectId: string | null;
}

export type AuditPosition = Pick<AuditRow, "at" | "id">;

export interface AuditRow {
  readonly id: bigint;
  readonly at: Temporal.Instant;
  readonly recordedAt: Temporal.Instant;
  readonly actorKind: Actor["kind"];
  readonly actorId: string | null;
  readonly actorName: string;
  readonly address: string | null;
  readonly action: string;
  readonly subjectKind: string;
  readonly subjectId: string;
  readonly subjectName: string | null;
  readonly before: Record<string, unknown> | null;
  readonly after: Record<string, unknown> | null;
}

const SELECT = `select e.id, e.at, e.recorded_at as "recordedAt", e.actor_kind as "actorKind", e.actor_id as "actorId",
  e.actor_name as "actorName", e.address, e.action, e.subject_kind as "subjectKind", e.subject_id as "subjectId",
  case e.subject_kind
    when 'staff' then (select name from staff where uid::text = e.subject_id)
    when 'credential' then (select name from credential where uid::text = e.subject_id)
    when 'customer' then (
      select coalesce(c.name, c.email)
      from customer_alias k
      join customer c on c.bucket = k.bucket and c.customer_uid = k.customer_uid
      where k.storefront_id = e.subject_id)
    when 'order' then (select order_name from store_order where order_id = e.subject_id)
    when 'import' then (select file_name from import where uid = e.subject_id::uuid)
    when 'segment' then (select name from segment where uid::text = e.subject_id)
    when 'saved_view' then coalesce(e.after, e.before) ->> 'name'
  end as "subjectName",
  e.before, e.after
from audit_entry e`;

const KINDS = new Set(["staff", "credential", "command", "system"]);

function conditionsOf(
  { bindIf }: Binder,
  { actor, action, subjectKind, subjectId, from, to }: AuditFilter,
): (string | null)[] {
  return [
    bindIf(actor, (n) => `${KINDS.has(actor ?? "") ? "e.actor_kind" : "e.actor_id"} = ${n}`),
    bindIf(action, (n) => `e.action = ${n}`),
    bindIf(subjectKind, (n) => `e.subject_kind = ${n}`),
    bindIf(subjectId, (n) => `e.subject_id = ${n}`),
    bindIf(from, (n) => `e.at >= ${n}`),
    bindIf(to, (n) => `e.at < ${n}`),
  ];
}

/** A page of the log, newest first. */
export async function selectAuditEntries(
  queryable: Queryable,
  filter: AuditFilter,
  { after, rows }: { readonly after: AuditPosition | null; readonly rows: number },
): Promise<AuditRow[]> {
  const binder = createBinder();
  const { params, bind } = binder;
  const conditions = [
    ...conditionsOf(binder, filter),
    after === null ? null : `(e.at, e.id) < (${bind(after.at)}, ${bind(after.id)})`,
  ];
  return queryable.query<AuditRow>(
    `${SELECT}
where ${allOf(conditions)}
order by e.at desc, e.id desc
limit ${bind(rows)}`,
    params,
  );
}

/** Returns how many entries the filter shows, at most `COUNTED_MAX` plus one. */
export function countFilteredEntries(queryable: Queryable, filter: AuditFilter): Promise<number> {
  const binder = createBinder();
  const rows = `select 1
  from audit_entry e
  where ${allOf(conditionsOf(binder, filter))}`;
  return countUpToMax(queryable, rows, binder.params);
}

export async function selectAuditEntry(queryable: Queryable, id: bigint): Promise<AuditRow | undefined> {
  const [row] = await queryable.query<AuditRow>(`${SELECT} where e.id = $1`, [id]);
  return row;
}

/** Returns every action of the log, with one index step per action. */
export async function selectActions(queryable: Queryable): Promise<string[]> {
  const rows = await queryable.query<{ action: string }>(
    `with recursive known as (
       (select action from audit_entry order by action limit 1)
       union all
       select (select e.action from audit_entry e where e.action > k.action order by e.action limit 1)
       from known k
       where k.action is not null)
     select action
     from known
     where action is not null`,
  );
  return rows.map((row) => row.action);
}

/** Returns every person and credential that may appear in the log, by name. */
export async function selectActors(queryable: Queryable): Promise<{ id: string; name: string }[]> {
  return queryable.query<{ id: string; name: string }>(
    `select uid::text as id, name
     from staff
     union all
     select uid::text, name
     from credential
     order by name, id`,
  );
}
