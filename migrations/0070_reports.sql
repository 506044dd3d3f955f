-- Scheduled reports: what is made when and where it goes, and the files of the last 90 days. Off at first.

create table report_setting (
  only_one boolean primary key default true check (only_one),
  is_on boolean not null default false,
  kinds text[] not null check (cardinality(kinds) <= 10),
  frequency text not null default 'monthly' check (frequency in ('weekly', 'monthly')),
  addresses text[] not null default '{}' check (cardinality(addresses) <= 10),
  to_folder boolean not null default false,           -- the folder is a setting of the worker
  language text not null default 'en' check (language in ('en', 'ja')));
insert into report_setting (kinds) values (array['ledger', 'liability', 'customers']);
create trigger report_setting_audited after update on report_setting
for each row execute function audit_settings('report_settings', 'only_one', '', '');

create table report (                                 -- one row a kind and period: made once
  uid uuid primary key,
  kind text not null,
  frequency text not null,
  first_on date not null,                             -- days of the store
  last_on date not null,
  state text not null default 'making' check (state in ('making', 'ready', 'failed')),
  attempts smallint not null default 0,
  attempt_uid uuid,                                   -- of the attempt that writes it, and wrote what is shown
  begun_at timestamptz not null,                      -- business clock
  ended_at timestamptz,
  file_name text,
  byte_count bigint,
  mails smallint not null default 0,                  -- how many were queued
  was_attached boolean,                               -- null: no mail; false: it was too large, the mail has a link
  folder text,                                        -- where it was written; null: nowhere
  error text check (length(error) <= 300),
  unique (kind, frequency, first_on));

create table report_piece (
  report_uid uuid not null,
  attempt_uid uuid not null,
  n integer not null,
  bytes bytea not null,
  primary key (report_uid, attempt_uid, n));
