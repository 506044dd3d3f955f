-- Ways to sign in beside the password: the company's own identity by OpenID Connect, passkeys, recovery codes; sessions by device.

create table staff_identity (                         -- whom the identity provider knows by a subject
  issuer text not null check (length(issuer) <= 500),
  subject text not null check (length(subject) between 1 and 255),
  staff_uid uuid not null unique references staff,
  created_at timestamptz not null,
  seen_at timestamptz not null,                       -- of the last sign-in
  role_lost_at timestamptz,                           -- the provider gives them no role: they do not sign in, whichever way
  primary key (issuer, subject));
create trigger staff_identity_audited after insert or update or delete on staff_identity
for each row execute function audit_settings('staff_identity', 'staff_uid', '', 'seen_at');

create table sign_in_setting (                        -- what an operator switched by a command
  only_one boolean primary key default true check (only_one),
  oidc_off_at timestamptz);                           -- OpenID Connect is off, whatever the settings say; null: it is not

create table spent_token (                            -- challenges and states that were used: each counts once
  sha256 bytea primary key,
  expires_at timestamptz not null);                   -- machine clock
create index spent_token_expires on spent_token (expires_at);

create table staff_passkey (
  uid uuid primary key,
  staff_uid uuid not null references staff,
  credential_id bytea not null unique check (length(credential_id) <= 1023),
  public_key bytea not null,
  sign_count bigint not null check (sign_count >= 0),
  transports text[] not null,
  is_synced boolean not null,                         -- it may be on several devices of the person
  name text not null check (length(name) between 1 and 100),
  created_at timestamptz not null,
  used_at timestamptz,
  suspected_at timestamptz);                          -- its counter went back: it may have been copied, and opens nothing
create index staff_passkey_staff on staff_passkey (staff_uid, created_at);
create trigger staff_passkey_audited after insert or update or delete on staff_passkey
for each row execute function audit_settings(
  'passkey', 'uid', '', 'credential_id,public_key,sign_count,used_at,transports');

create table staff_recovery_code (                    -- each opens one sign-in in place of the second factor
  staff_uid uuid not null,
  code_sha256 bytea not null,                         -- of 79 random bits
  primary key (staff_uid, code_sha256));

alter table staff_session
  add column uid uuid not null default gen_random_uuid(),
  add column method text not null default 'password' check (method in ('password', 'passkey', 'oidc')),
  add column user_agent text check (length(user_agent) <= 300);
create unique index staff_session_uid on staff_session (uid);

alter table access_change drop constraint access_change_by_kind_check;
alter table access_change add constraint access_change_by_kind_check check (by_kind in ('staff', 'command', 'provider'));
