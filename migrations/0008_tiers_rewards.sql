-- Runs of tier designation, what each tier change came from, birthdays that were rewarded. program.md 4 (Rewards) and 6.

create table designation (                            -- a check, or a change of the program that moves customers
  uid uuid primary key,
  kind text not null check (kind in ('check', 'program')),
  at timestamptz not null,                            -- business clock: the check's own time, or when the program was changed
  program_version integer not null,                   -- the rules that it places by
  before_version integer not null,                    -- of a program change, the rules before it; else the same
  scope text not null check (scope in ('all', 'deleted')),   -- deleted: only the members of tiers that are gone
  actor text,
  next_bucket smallint not null default 0 check (next_bucket between 0 and 256),   -- those below it are done
  moved bigint not null default 0,
  finished_at timestamptz,
  check ((finished_at is null) or next_bucket = 256));
create unique index designation_check on designation (at) where kind = 'check';   -- once, whichever node comes first
create index designation_open on designation (at) where finished_at is null;

alter table customer_tier add column designation_uid uuid;   -- the run that placed it last: none does so twice

alter table tier_change
  add column from_name text,                          -- as the tiers were called then
  add column to_name text,
  add column spend_minor bigint,                      -- in the run's window; null: nobody looked at the spend
  add column check_at timestamptz,                    -- null: no check
  add column program_version integer;                 -- the rules that it was decided by; null: by a person

alter table customer add column birthday_set_at timestamptz;   -- business clock: when it became what it is

-- Whose birthday is today: '05-17', '02-29'; the year plays no part.
create index customer_birthday on customer (right(birthday, 5), bucket, customer_uid)
where birthday is not null and deleted_at is null;

create table birthday_reward (                        -- the last birthday that was rewarded
  bucket smallint not null,
  customer_uid uuid not null,
  celebrated_on date not null,                        -- the store's day, however late the points came
  primary key (bucket, customer_uid));

create table birthday_run (                           -- locked by the node that rewards a batch
  one boolean primary key default true check (one),
  done_on date not null,                              -- days up to it are done
  after_bucket smallint not null default -1,          -- customers of the next day up to here are done
  after_uid uuid not null default '00000000-0000-0000-0000-000000000000');
