-- What the store owes its customers in points, by month and by month of issue, and what it defers of its revenue for them (docs/liability.md).
-- A month is year x 12 + month - 1, by the time zone of the book.

create table liability_book (                         -- how far the sums are; locked by whoever moves them or closes a month
  one boolean primary key default true check (one),
  time_zone text not null,                            -- '': nothing is counted yet
  allotted_at timestamptz not null,                   -- the last settled allotment that is counted
  allotment_uid uuid not null);
insert into liability_book (time_zone, allotted_at, allotment_uid)
values ('', '-infinity', '00000000-0000-0000-0000-000000000000');

create table liability_month (                        -- a month that was closed; never changed
  month integer primary key,
  closed_at timestamptz not null,                     -- business clock
  closed_by text not null,
  currency text not null);                            -- that of its money

create table liability_sum (                          -- the ledger's movements, each counted once
  month integer not null,                             -- in which they were booked: that of the allotment
  cohort integer not null,                            -- in which the points were issued: that of the lot's start
  origin text not null,                               -- of the points; 'unstated': none is known
  kind text not null,
  cause_month integer not null,                       -- in which the cause was: earlier than the month for what came late
  points numeric not null check (points >= 0),
  movements bigint not null check (movements > 0),
  money numeric not null check (money >= 0),          -- minor units that were paid where these points were earned
  primary key (month, cohort, origin, kind, cause_month)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index liability_sum_cohort on liability_sum (cohort, origin);

create table liability_estimate (                     -- what a manager expects, from a month on
  uid uuid primary key,
  month integer not null,
  cohort integer not null default 0,                  -- 0: of all months of issue without a line of their own
  redemption_bps integer not null check (redemption_bps between 1 and 10000),
  point_price_millionths bigint,                      -- stand-alone price of a point in millionths of a minor unit; null: of one cohort, which has none
  set_at timestamptz not null,
  set_by text not null,
  unique (month, cohort),
  check ((cohort = 0) = (point_price_millionths is not null)),
  check (point_price_millionths > 0));

create table liability_deferral (                     -- revenue of a closed month, by month of issue, in minor units
  month integer not null,
  cohort integer not null,
  opening numeric not null,
  additions numeric not null,
  taken_back numeric not null,
  redemption numeric not null,
  breakage numeric not null,
  reestimate numeric not null,
  closing numeric not null,
  allocated numeric not null,                         -- to date, as the next month goes on from them
  issued numeric not null,
  redeemed numeric not null,
  lapsed numeric not null,
  primary key (month, cohort),
  check (closing = opening + additions - taken_back - redemption - breakage - reestimate));

-- A closed month stays as it was closed, whoever asks.
create function keep_closed_month() returns trigger language plpgsql as $$
begin
  if exists (
    select
    from liability_month m
    where m.month = case when tg_op = 'DELETE' then old.month else new.month end
      or (tg_op = 'UPDATE' and m.month = old.month)) then
    raise exception 'month % of % is closed', case when tg_op = 'DELETE' then old.month else new.month end, tg_table_name;
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger liability_sum_kept before insert or update or delete on liability_sum
for each row execute function keep_closed_month();
create trigger liability_estimate_kept before insert or update or delete on liability_estimate
for each row execute function keep_closed_month();
create trigger liability_deferral_kept before insert or update or delete on liability_deferral
for each row execute function keep_closed_month();

create trigger liability_estimate_audited after insert or update or delete on liability_estimate
for each row execute function audit_settings('liability_estimate', 'uid', '', 'set_at,set_by');
