-- One person must not be two: links behind which people choose their own password, who changed whose access, sessions that were
-- confirmed, browsers that signed in before, and the code of the first run.

alter table staff
  alter column password_hash drop not null,           -- null: invited or reset, and nothing chosen yet
  add column password_until timestamptz;              -- of a made password: it opens nothing from then on; its first use ends it
drop trigger staff_audited on staff;
create trigger staff_audited after insert or update or delete on staff
for each row execute function audit_settings(
  'staff', 'uid', 'password_hash,totp_sealed', 'totp_step,totp_draft_sealed,password_at,password_until');

alter table staff_session add column confirmed_at timestamptz;   -- the last time that a password or code was given in it
update staff_session set confirmed_at = created_at;
alter table staff_session alter column confirmed_at set not null;

create table staff_link (                             -- behind it a person chooses a password, once; their newest alone is there
  staff_uid uuid primary key references staff,
  token_sha256 bytea not null unique,                 -- of 256 random bits
  kind text not null check (kind in ('invitation', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null);

create table staff_device (                           -- a browser that a person signed in with: its failures count by themselves
  token_sha256 bytea primary key,
  staff_uid uuid not null references staff,
  created_at timestamptz not null,
  seen_at timestamptz not null);
create index staff_device_staff on staff_device (staff_uid, seen_at);

create table access_change (                          -- who changed whose way into the dashboard; owners are told, approvals look at it
  uid uuid primary key,
  at timestamptz not null,
  kind text not null check (kind in ('invited', 'reset', 'totp_removed', 'raised', 'lowered', 'enabled', 'disabled')),
  staff_uid uuid not null references staff,
  role text not null,                                 -- the person's from then on
  by_kind text not null check (by_kind in ('staff', 'command')),
  by_uid uuid references staff,                       -- null: a command
  by_name text not null);
create index access_change_staff on access_change (staff_uid, at);
create index access_change_at on access_change (at, uid);

create table access_notice_read (                     -- an owner has read and dismissed a change
  staff_uid uuid references staff,
  access_change_uid uuid references access_change,
  primary key (staff_uid, access_change_uid));

create table setup_code (                             -- opens the first run's page; gone with the first owner
  only_one boolean primary key default true check (only_one),
  code_sha256 bytea not null,
  sealed bytea not null,                              -- told again at each start until then
  created_at timestamptz not null);
