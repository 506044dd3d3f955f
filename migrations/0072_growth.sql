-- How the customers came to be what they are: by month joined and of first order, when each lapses, tiers and moves between them, points by month
-- joined. Kept by the worker by difference; all of it can be counted again. A month is year x 12 + month - 1, by the time zone of the standing.

create table growth_change (                          -- customers who changed since they were counted; emptied by the worker
  uid uuid primary key default gen_random_uuid(),
  bucket smallint not null,
  customer_uid uuid not null) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- With their owner's rights: nodes of the release before, whose role was not given the table yet, write customers too.
create function note_growth_changes() returns trigger language plpgsql security definer as $$
begin
  insert into growth_change (bucket, customer_uid)
  select bucket, customer_uid
  from written;
  return null;
end
$$;
create function note_growth_change() returns trigger language plpgsql security definer as $$
begin
  insert into growth_change (bucket, customer_uid)
  values (new.bucket, new.customer_uid);
  return null;
end
$$;
revoke execute on function note_growth_changes() from public;
revoke execute on function note_growth_change() from public;
do $$
begin
  execute 'alter function note_growth_changes() set search_path = ' || format('pg_catalog, %I, pg_temp', current_schema());
  execute 'alter function note_growth_change() set search_path = ' || format('pg_catalog, %I, pg_temp', current_schema());
end $$;
create trigger customer_growth_made after insert on customer
  referencing new table as written for each statement execute function note_growth_changes();
create trigger customer_growth_gone after delete on customer
  referencing old table as written for each statement execute function note_growth_changes();
create trigger customer_growth_deleted after update of deleted_at on customer
  for each row when (new.deleted_at is distinct from old.deleted_at) execute function note_growth_change();
create trigger customer_tier_growth_made after insert on customer_tier
  referencing new table as written for each statement execute function note_growth_changes();
create trigger customer_tier_growth_written after update on customer_tier
  referencing new table as written for each statement execute function note_growth_changes();
create trigger customer_tier_growth_gone after delete on customer_tier
  referencing old table as written for each statement execute function note_growth_changes();
create trigger sale_buyer_growth_made after insert on sale_buyer
  referencing new table as written for each statement execute function note_growth_changes();
create trigger sale_buyer_growth_written after update on sale_buyer
  referencing new table as written for each statement execute function note_growth_changes();
create trigger sale_buyer_growth_gone after delete on sale_buyer
  referencing old table as written for each statement execute function note_growth_changes();

create table growth_standing (                        -- locked by whoever counts
  one boolean primary key default true check (one),
  time_zone text not null,                            -- '': nothing is counted yet
  walk_bucket smallint,                               -- all customers up to this one were looked at; null: all were
  walk_uid uuid,
  counted_at timestamptz,                             -- business clock: when all changes were last counted
  allotted_at timestamptz not null,                   -- the last settled allotment whose points are counted
  allotment_uid uuid not null,
  check ((walk_bucket is null) = (walk_uid is null)));
insert into growth_standing (time_zone, allotted_at, allotment_uid)
values ('', '-infinity', '00000000-0000-0000-0000-000000000000');

create table growth_customer (                          -- what a customer counts for; no row: nothing
  bucket smallint not null,
  customer_uid uuid not null,
  joined integer not null,                            -- month
  first_ordered integer,                              -- month; null: no order
  orders smallint not null check (orders between 0 and 2),   -- 2: or more
  lapses_at timestamptz,                              -- its hour; null: fewer than two orders
  lapse_month integer,
  tier_uid uuid not null,                             -- the nil uuid: the default tier
  moves text not null,                                -- '24315:<from>><to>': tier at the start and the end of months with a move
  primary key (bucket, customer_uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table growth_month (
  month integer not null,
  figure text not null check (figure in ('joined', 'ordered', 'reordered', 'first_ordered')),   -- the first three by month joined
  customers bigint not null,
  primary key (month, figure)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table growth_lapse (                           -- customers with two orders or more, by the hour in which they lapse, and its month
  hour timestamptz not null,
  month integer not null,
  customers bigint not null,
  primary key (hour, month)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table growth_tier (                            -- customers by their tier now
  tier_uid uuid primary key,
  customers bigint not null) with (fillfactor = 50);

create table growth_move (                            -- customers by the tiers in which they began and ended a month, where these differ
  month integer not null,
  from_uid uuid not null,                             -- of who joined in the month: the uuid of all ones
  to_uid uuid not null,
  customers bigint not null,
  primary key (month, from_uid, to_uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table growth_points (                          -- points of allotments by the month in which their customer joined
  month integer not null,
  type text not null,
  gained numeric not null,
  gains bigint not null,
  taken numeric not null,                             -- positive
  takes bigint not null,
  primary key (month, type)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table growth_benefit (                         -- a coupon that was taken, or a reward; never deleted but when all is counted anew
  bucket smallint not null,
  customer_uid uuid not null,
  version bigint not null,                            -- of its allotment
  kind text not null check (kind in ('coupon', 'reward-1', 'reward-2', 'reward-3')),
  at timestamptz not null,
  points bigint not null,
  coupon_uid uuid,
  is_used boolean not null default false,             -- an order used the coupon
  has_order boolean not null default false,           -- its customer ordered within 30 days
  primary key (bucket, customer_uid, version)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table growth_benefit_day (                     -- sums by days of the standing's time zone
  kind text not null,
  day date not null,
  benefits bigint not null,
  points numeric not null,
  returned numeric not null,                          -- of the points of its coupons, since then
  used bigint not null,
  ordered bigint not null,
  primary key (kind, day)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create trigger coupon_use_growth_made after insert on coupon_use
  referencing new table as written for each statement execute function note_growth_changes();
