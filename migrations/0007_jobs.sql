-- Scheduled work and its runs; the indexes by which the expiry sweep finds what is due. program.md 5.

create table job (                                    -- a row per job that ever ran
  name text primary key,
  done_at timestamptz,                                -- business clock: all that was due by then is done; null: by machine time
  ready_at timestamptz not null default '-infinity',  -- the database's machine clock: not before
  lease_uid uuid,                                     -- the run that holds it; what it reports counts while this is its own
  lease_until timestamptz,                            -- machine clock
  runs bigint not null default 0,
  failures bigint not null default 0,
  failures_in_row integer not null default 0,
  items bigint not null default 0) with (fillfactor = 50);

create table job_run (                                -- the newest of each job are kept
  uid uuid primary key,                               -- UUIDv7: the order of the runs
  job text not null,
  business_at timestamptz not null,                   -- what the business clock showed at its start
  started_at timestamptz not null,                    -- machine clock
  ended_at timestamptz,                               -- null: it runs, or its process died
  outcome text check (outcome in ('done', 'failed', 'stopped')),
  items bigint,
  error text);
create index job_run_job on job_run (job, uid);

-- From which UTC day the expiry of lots without a date of their own counts where it slides: that of the last extending activity, or
-- of the oldest such lot when that is later; null: no such lot. Of the columns that postings change the only indexed one, and it
-- mostly changes once a day, so that updates stay HOT. Balances without points leave the index.
drop index balance_active_on;
alter table balance rename column active_on to expiry_from_on;
update balance
set expiry_from_on = case when oldest_since is not null then (greatest(active_at, oldest_since) at time zone 'UTC')::date end;
create index balance_expiry_from on balance (expiry_from_on, bucket) where expiry_from_on is not null;

-- The bucket cuts what shares a date into pieces that a page of the sweep can hold.
drop index lot_dated;
create index lot_dated on lot (expires_at, bucket) where expires_at < 'infinity';
create index lot_undated on lot (since, bucket) where expires_at = 'infinity';   -- where each allotment keeps its own date
