import type { Db } from "../db/pool.ts";

/** What `verify` says of the rows whose changes the audit log has. */
export const SETTINGS_CHECK = {
  name: "settings",
  says: "versions of the program, people, credentials and subscriptions agree with the audit log",
};

// A trigger writes each change of these rows into the audit log, whoever makes it, and checkpoints cover the log. So a row that differs was changed
// with triggers turned off, or the log was shortened. Of times only whether there is one: how JSON writes them depends on the session.
const ROWS = `select 'staff' as kind, s.uid::text as id,
    jsonb_build_object('email', s.email, 'name', s.name, 'role', s.role, 'disabled_at', s.disabled_at is not null) as fields
  from staff s
  union all
  select 'credential', c.uid::text,
    jsonb_build_object('name', c.name, 'key', c.key, 'scopes', c.scopes, 'is_store', c.is_store, 'revoked_at', c.revoked_at is not null)
  from credential c`;

/** What the audit log says last of each field. */
const SAID = `select distinct on (e.subject_kind, e.subject_id, f.key) e.subject_kind as kind,
    e.subject_id as id,
    f.key,
    case when f.key in ('disabled_at', 'revoked_at') then to_jsonb(f.value <> 'null') else f.value end as value
  from audit_entry e
  cross join lateral jsonb_each(e.after) f
  where e.subject_kind in ('staff', 'credential')
    and e.action in (e.subject_kind || '.created', e.subject_kind || '.changed')
  order by e.subject_kind, e.subject_id, f.key, e.id desc`;

// Credentials from before the audit log, and the own one of a store that was loaded from a file, have no entry.
const ROW_FAULTS = `with own as materialized (${ROWS}),
said as materialized (${SAID})
select format('%s %s: %s is %s; the audit log says %s', r.kind, r.id, s.key, f.value, s.value) as found
from own r
cross join lateral jsonb_each(r.fields) f
join said s on s.kind = r.kind and s.id = r.id and s.key = f.key
where s.value is distinct from f.value
union all
select format('staff %s: the audit log does not say that the person was added', r.id)
from own r
where r.kind = 'staff'
  and not exists (select from said s where s.kind = r.kind and s.id = r.id and s.key = 'role')
union all
select format('staff %s: the person is gone, and people are never removed', s.id)
from said s
where s.kind = 'staff'
  and s.key = 'role'
  and not exists (select from own r where r.kind = s.kind and r.id = s.id)
union all
select format('subscription %s: callback_url is "%s", which the audit log does not have', w.topic, w.callback_url)
from subscription w
where not exists ( -- a topic may have several receivers, which are one subject
  select
  from audit_entry e
  where e.subject_kind = 'subscription'
    and e.subject_id = w.topic
    and e.action in ('subscription.created', 'subscription.changed')
    and e.after ->> 'callback_url' = w.callback_url)
limit 1000`;

// A version's entry has the fields that differ from the version before, with both values.
const PROGRAM_FAULTS = `with said as materialized (
  select distinct on (e.subject_id) e.subject_id::integer as version,
    e.before,
    e.after
  from audit_entry e
  where e.subject_kind = 'program'
    and e.action = 'program.changed'
  order by e.subject_id, e.id desc),
changed as materialized (
  select v.version,
    coalesce(jsonb_object_agg(m.key, w.document::jsonb -> m.key)
      filter (where w.document::jsonb ? m.key and v.document::jsonb -> m.key is distinct from w.document::jsonb -> m.key), '{}') as was,
    coalesce(jsonb_object_agg(m.key, v.document::jsonb -> m.key)
      filter (where v.document::jsonb ? m.key and v.document::jsonb -> m.key is distinct from w.document::jsonb -> m.key), '{}') as becomes
  from program_version v
  join program_version w on w.version = v.version - 1
  cross join lateral jsonb_object_keys(v.document::jsonb || w.document::jsonb) m (key)
  group by v.version)
select format('version %s of the program differs from the one before it otherwise than the audit log says', c.version) as found
from changed c
join said s on s.version = c.version
where coalesce(s.before, '{}') <> c.was
  or coalesce(s.after, '{}') <> c.becomes
union all
select format('version %s of the program is not in the audit log', v.version)
from program_version v
where v.version > (select min(s.version) from said s)
  and not exists (select from said s where s.version = v.version)
union all
select format('version %s of the program is gone', s.version)
from said s
where not exists (select from program_version v where v.version = s.version)
order by 1
limit 1000`;

/**
 * Compares the program's versions, people, credentials and subscriptions with the audit log, all of one moment. Returns what differs, a
 * sentence each.
 */
export async function checkSettings(db: Pick<Db, "snapshot">): Promise<string[]> {
  return db.snapshot(async (tx) => {
    const rows = [
      ...(await tx.query<{ found: string }>(ROW_FAULTS)),
      ...(await tx.query<{ found: string }>(PROGRAM_FAULTS)),
    ];
    return rows.map(({ found }) => found);
  });
}
