-- What the dashboard's home shows, kept as the ledger grows and never scanned for: sums by store day, and of each customer the last
-- active day and when points expire. Everything here can be made again from the ledger.

create table figure_book (                            -- the ledger's sums in one time zone
  edition integer primary key,
  time_zone text not null,                            -- '': the empty one before the first
  is_shown boolean not null unique,                   -- one is shown; beside it at most one is being made
  allotted_at timestamptz not null,                   -- how far it is: the last settled allotment that it counts
  allotment_uid uuid not null);
insert into figure_book (edition, time_zone, is_shown, allotted_at, allotment_uid)
values (0, '', true, '-infinity', '00000000-0000-0000-0000-000000000000');

create table figure_day (
  edition integer not null,
  day date not null,                                  -- in the book's time zone
  type text not null,
  gained numeric not null,                            -- points of positive allotments
  gains bigint not null,                              -- how many they are
  taken numeric not null,                             -- points of negative ones, positive here
  takes bigint not null,
  primary key (edition, day, type)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table figure_standing (                        -- how far the two tables of customers' sums are; locked by whoever moves them
  one boolean primary key default true check (one),
  allotted_at timestamptz not null,                   -- customers of allotments up to this one are looked at
  allotment_uid uuid not null,
  rules text not null,                                -- what expiries were computed from; '': nothing yet
  is_complete boolean not null,                       -- every customer was looked at under these rules
  walk_bucket smallint,                               -- the walk through all balances has come so far; null: none goes on
  walk_uid uuid,
  walked_at timestamptz,                              -- business clock: when the last walk ended
  check ((walk_bucket is null) = (walk_uid is null)));
insert into figure_standing (allotted_at, allotment_uid, rules, is_complete)
values ('-infinity', '00000000-0000-0000-0000-000000000000', '', false);

create table figure_customer (                        -- what a customer's share of the two sums below is; no row: nothing
  bucket smallint not null,
  customer_uid uuid not null,
  active_on date,                                     -- the store's day of the last activity
  expiring text not null,                             -- '24315:120 24316:40': points by month, which is year x 12 + month - 1
  primary key (bucket, customer_uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table figure_active (                          -- customers by the day of their last activity
  day date primary key,
  customers bigint not null) with (fillfactor = 50);

create table figure_expiry (                          -- points by the store's month in which they expire
  month integer primary key,
  points numeric not null) with (fillfactor = 50);

create table figure_count (                           -- counted from time to time
  one boolean primary key default true check (one),
  counted_at timestamptz not null,                    -- business clock
  customers bigint not null,
  tiers jsonb not null);                              -- members by tier uid; '': those without one of their own, in the default tier
