-- Who signs in to the dashboard, and the log of who changed what. program.md 2 and 9.

create table staff (                                  -- never deleted: the audit log names them
  uid uuid primary key,
  email text not null unique check (email = lower(email) and length(email) between 3 and 320),
  name text not null check (length(name) between 1 and 100),
  role text not null check (role in ('owner', 'manager', 'support', 'viewer')),
  language text check (language in ('en', 'ja')),     -- null: the browser's
  password_hash text not null,                        -- argon2id, in the PHC form
  has_made_password boolean not null default false,   -- made by the service and shown once: to be replaced by its owner
  password_at timestamptz not null,
  totp_sealed bytea,                                  -- the secret of the second factor, once it is on
  totp_draft_sealed bytea,                            -- while it is being set up
  totp_step bigint not null default 0,                -- the last time step whose code was taken: a code counts once
  created_at timestamptz not null,
  disabled_at timestamptz);

create table staff_session (
  token_sha256 bytea primary key,                     -- of 256 random bits
  staff_uid uuid not null references staff,
  created_at timestamptz not null,
  seen_at timestamptz not null,                       -- to the minute
  address text);
create index staff_session_staff on staff_session (staff_uid);

create table sign_in_failure (                        -- failed sign-ins in a row; a right one takes them away
  key text primary key,                               -- 'email/<sha-256 of it>', 'address/<address>', 'totp/<uid>'
  failures integer not null check (failures >= 0),
  failed_at timestamptz not null,
  locked_until timestamptz not null default '-infinity');
create index sign_in_failure_failed on sign_in_failure (failed_at);

create table audit_entry (                            -- append only, kept for ever; holds no secret
  id bigint generated always as identity primary key,
  at timestamptz not null,                            -- business clock
  recorded_at timestamptz not null default clock_timestamp(),   -- machine clock
  actor_kind text not null check (actor_kind in ('staff', 'credential', 'command', 'system')),
  actor_id text,
  actor_name text not null,
  address text,
  action text not null,
  subject_kind text not null,
  subject_id text not null,
  before jsonb,
  after jsonb);
create index audit_entry_at on audit_entry (at, id);
create index audit_entry_actor on audit_entry (actor_id, at, id) where actor_id is not null;
create index audit_entry_action on audit_entry (action, at, id);
create index audit_entry_subject on audit_entry (subject_kind, subject_id, at, id);

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append only';
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
for each row execute function refuse_audit_change();
create trigger audit_entry_kept before truncate on audit_entry
for each statement execute function refuse_audit_change();

-- Writes one entry in the name of pointkeeper.actor, which a transaction sets where somebody acts through the service.
create function write_audit_entry(the_action text, the_kind text, the_id text, was jsonb, becomes jsonb, fallback_at timestamptz)
returns void language plpgsql as $$
declare
  actor jsonb := nullif(current_setting('pointkeeper.actor', true), '')::jsonb;
begin
  insert into audit_entry (at, actor_kind, actor_id, actor_name, address, action, subject_kind, subject_id, before, after)
  values (
    coalesce((actor->>'at')::timestamptz, fallback_at, clock_timestamp()),
    coalesce(actor->>'kind', 'system'), actor->>'id', coalesce(actor->>'name', 'pointkeeper'), actor->>'address',
    the_action, the_kind, the_id, was, becomes);
end $$;

-- Records a change of a row of settings: audit_settings(subject's kind, its id's column, secret columns, columns of no interest).
-- Of a change only the members that differ are kept; of a secret only that it was replaced or, where none is left, removed.
create function audit_settings() returns trigger language plpgsql as $$
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

create trigger staff_audited after insert or update or delete on staff
for each row execute function audit_settings(
  'staff', 'uid', 'password_hash,totp_sealed', 'totp_step,totp_draft_sealed,password_at');
create trigger credential_audited after insert or update or delete on credential
for each row execute function audit_settings('credential', 'uid', 'secret_sha256', 'last_used_at');
create trigger api_secret_key_audited after insert or update or delete on api_secret_key
for each row execute function audit_settings('api_secret_key', 'state', 'sealed,secret_sha256', '');
create trigger subscription_audited after insert or update or delete on subscription
for each row execute function audit_settings(
  'subscription', 'topic', 'secret_sealed,next_secret_sealed', 'failures,revivals,lease_uid,lease_until');

-- The members of the program that a version sets otherwise than the one before it.
create function audit_program() returns trigger language plpgsql as $$
declare
  was jsonb := (select document from program_version where version = new.version - 1)::jsonb;
  becomes jsonb := new.document::jsonb;
begin
  perform write_audit_entry(
    'program.changed', 'program', new.version::text,
    (select jsonb_object_agg(key, value) from jsonb_each(was) where becomes->key is distinct from value),
    (select jsonb_object_agg(key, value) from jsonb_each(becomes) where was is not null and was->key is distinct from value),
    new.created_at);
  return null;
end $$;
create trigger program_version_audited after insert on program_version
for each row execute function audit_program();
