-- Messages to customers: what is sent on which occasion, how far each kind has come, and what each customer was sent. All off at first.

create table message_setting (
  kind text primary key check (kind in ('expiry_reminder', 'tier_reached', 'birthday', 'statement')),
  is_on boolean not null default false,
  days_before smallint not null default 14 check (days_before between 1 and 90),   -- of the reminder alone
  texts jsonb not null default '{}');                 -- by language, {subject, text}; a language that is absent has the built-in text
insert into message_setting (kind) values ('expiry_reminder'), ('tier_reached'), ('birthday'), ('statement');
create trigger message_setting_audited after update on message_setting
for each row execute function audit_settings('message', 'kind', '', '');

create table message_rule (                           -- of all kinds
  only_one boolean primary key default true check (only_one),
  language text not null default 'en' check (language in ('en', 'ja')),   -- of customers whose own is not known
  send_hour smallint not null default 9 check (send_hour between 0 and 23),   -- of the store's day: nothing of a day is sent before
  hourly_max integer not null default 1000 check (hourly_max between 10 and 100000));
insert into message_rule default values;
create trigger message_rule_audited after update on message_rule
for each row execute function audit_settings('message_rule', 'only_one', '', '');

create table message_pace (                           -- what may be queued at this moment; the machine's clock
  only_one boolean primary key default true check (only_one),
  link_key_sealed bytea,                              -- signs the links that end messages; null: none was made yet
  budget double precision not null default 100,
  budget_at timestamptz);                             -- null: none was queued yet
insert into message_pace default values;

create table message_run (                            -- how far a kind has come; locked by the node that queues a batch
  kind text primary key references message_setting,
  done_on date,                                       -- the days, or months by their first day, up to here are done; null: it has not begun
  basis text,                                         -- of the reminder: the rules that its days were found by
  walk text,                                          -- of the reminder: the index that it walks, and where it stands there
  after_at text,
  after_bucket smallint not null default -1,
  after_uid uuid not null default '00000000-0000-0000-0000-000000000000');
insert into message_run (kind) select kind from message_setting;

create table message_sent (                           -- one row an occasion: no second message of it
  bucket smallint not null,
  customer_uid uuid not null,
  kind text not null,
  occasion text not null check (length(occasion) between 1 and 100),   -- the day on which points expire, the tier and day, the birthday, the month
  sent_at timestamptz not null,                       -- business clock: when it was queued
  forget_on date not null,                            -- the occasion cannot come again from then on
  primary key (bucket, customer_uid, kind, occasion));
create index message_sent_forget on message_sent (forget_on);

create table message_tier_change (                    -- changes of tier that a message may be about
  uid uuid primary key,
  bucket smallint not null,
  customer_uid uuid not null,
  from_uid uuid,
  to_uid uuid,
  changed_at timestamptz not null);                   -- business clock

-- In the transaction of the change, whoever makes it; a merge reaches no tier.
create function note_tier_messages() returns trigger language plpgsql as $$
begin
  if exists (select from message_setting where kind = 'tier_reached' and is_on) then
    insert into message_tier_change (uid, bucket, customer_uid, from_uid, to_uid, changed_at)
    select uid, bucket, customer_uid, from_uid, to_uid, changed_at
    from changed
    where cause <> 'merge';
  end if;
  return null;
end $$;
create trigger tier_change_messages after insert on tier_change
referencing new table as changed
for each statement execute function note_tier_messages();

alter table customer add column unsubscribed_at timestamptz;   -- business clock: from messages of this service; null: not, or consented since
alter table customer add column locale text;                   -- the person's language, as BCP 47 has it; null: unknown

-- A mail whose recipient does not want it any more is withdrawn, not sent.
alter table mail drop constraint mail_state_check;
alter table mail add constraint mail_state_check
check (state in ('waiting', 'sent', 'failed', 'expired', 'withdrawn'));
create index mail_recipient on mail (recipient, uid);   -- the log of mails, by whom, by what and by state
create index mail_category on mail (category, uid);
create index mail_state on mail (state, uid);
