-- Alerts: what needs a person, and where people are notified of it. Off until an owner turns it on.

create table alert_setting (
  only_one boolean primary key default true check (only_one),
  is_on boolean not null default false,
  kinds text[] not null check (cardinality(kinds) <= 20),
  addresses text[] not null default '{}' check (cardinality(addresses) <= 10),
  webhook_sealed bytea,                               -- the address of an incoming webhook: who knows it can write there; null: none
  language text not null default 'en' check (language in ('en', 'ja')),
  grant_percent smallint not null default 50 check (grant_percent between 1 and 100));
insert into alert_setting (kinds)
values (array['receiver_dead', 'job_troubled', 'ledger_breach', 'backup_old', 'grant_unusual', 'approval_waiting']);
create trigger alert_setting_audited after update on alert_setting
for each row execute function audit_settings('alert_settings', 'only_one', 'webhook_sealed', '');

create table alert_standing (                         -- how sending stands; the machine's clock
  only_one boolean primary key default true check (only_one),
  mailed_at timestamptz,                              -- the last summary: the next one waits ten minutes
  webhook_error text check (length(webhook_error) <= 300),   -- of the last attempt; null: it was taken
  webhook_at timestamptz);
insert into alert_standing default values;

create table alert (                                  -- one row from when something needs a person until it is over; kept 90 days after
  uid uuid primary key,
  kind text not null,
  subject text not null check (length(subject) between 1 and 255),   -- natural key within the kind: a receiver, a job, a request
  about jsonb not null,                               -- names and numbers for the text
  began_at timestamptz not null,                      -- machine clock, as all here
  ended_at timestamptz,
  mailed smallint not null default 0 check (mailed between 0 and 2),   -- 0: nothing, 1: that it began, 2: that it is over
  posted smallint not null default 0 check (posted between 0 and 2));  -- the same of the webhook
create unique index alert_open on alert (kind, subject) where ended_at is null;
create index alert_unsent on alert (began_at) where mailed < 2 or posted < 2;
create index alert_began on alert (began_at desc, uid desc);
create index alert_ended on alert (ended_at) where ended_at is not null;
