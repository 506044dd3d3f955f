-- What the dashboard shows of webhooks, jobs and intake: lists by topic and time, and work that a person asked for.

-- An event's topic and time: the list of each topic, and the log that is pruned.
drop index outbox_event_inserted;
create index outbox_event_topic on outbox_event (topic, inserted_at);

-- A failed delivery's due_at is when it failed: what has failed since then is counted and sent again.
drop index delivery_failed;
create index delivery_failed on delivery (subscription_uid, due_at, uid) where state = 'failed';

-- What was acknowledged, without what was tried in vain.
create index attempt_acknowledged on attempt (recorded_at, uid) where status = 200;

create index receipt_topic on receipt (topic, uid);

-- What each job is and when it is next due, as the workers know it.
create table job_plan (
  name text primary key,
  position smallint not null,                         -- its place in the list
  timing text not null check (timing in ('machine', 'store')),
  next_at timestamptz);                               -- business clock; null: by machine time, or never

-- A person's wish that a job runs now; it counts until a run has begun after it.
create table job_request (
  job text primary key,
  requested_at timestamptz not null);                 -- machine clock

-- As before, but a secret that is no longer there was removed, not replaced: a second factor turned off is told from one turned on.
create or replace function audit_settings() returns trigger language plpgsql as $$
declare
  secrets text[] := string_to_array(tg_argv[2], ',');
  ignored text[] := string_to_array(tg_argv[3], ',');
  was jsonb := case when tg_op = 'INSERT' then null else to_jsonb(old) - ignored end;
  becomes jsonb := case when tg_op = 'DELETE' then null else to_jsonb(new) - ignored end;
  verb text := case tg_op when 'INSERT' then 'created' when 'UPDATE' then 'changed' else 'deleted' end;
  replaced text[];
  removed text[];
  subject text := coalesce(becomes, was)->>tg_argv[1];
  made_at timestamptz := (becomes->>'created_at')::timestamptz;
begin
  if tg_op = 'UPDATE' then
    if was = becomes then
      return null;
    end if;
    select
      array_agg(name order by name) filter (where becomes->name <> 'null'),
      array_agg(name order by name) filter (where becomes->name = 'null')
    into replaced, removed
    from unnest(secrets) name
    where was->name is distinct from becomes->name;
    select jsonb_object_agg(b.key, was->b.key), jsonb_object_agg(b.key, b.value) into was, becomes
    from jsonb_each(becomes) b
    where was->b.key is distinct from b.value;
    made_at := null;
  end if;
  was := was - secrets;
  becomes := becomes - secrets;
  if replaced is not null then
    becomes := becomes || jsonb_build_object('replaced', to_jsonb(replaced));
  end if;
  if removed is not null then
    becomes := becomes || jsonb_build_object('removed', to_jsonb(removed));
  end if;
  perform write_audit_entry(tg_argv[0] || '.' || verb, tg_argv[0], subject, was, becomes, made_at);
  return null;
end $$;
