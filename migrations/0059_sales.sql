-- What orders come to: by time and tier, by campaign and bonus collection, by customer. Kept by the worker by difference; all of it can be
-- counted again from the orders.

create table sale_change (                            -- orders that were written since they were counted; emptied by the worker
  uid uuid primary key default gen_random_uuid(),
  order_id text not null) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);

-- With its owner's rights: nodes of the release before, whose role was not given the table yet, write orders too.
create function note_sale_change() returns trigger language plpgsql security definer as $$
begin
  insert into sale_change (order_id)
  select order_id
  from written;
  return null;
end
$$;
revoke execute on function note_sale_change() from public;
do $$
begin
  execute 'alter function note_sale_change() set search_path = ' || format('pg_catalog, %I, pg_temp', current_schema());
end $$;
create trigger store_order_made after insert on store_order
  referencing new table as written for each statement execute function note_sale_change();
create trigger store_order_written after update on store_order
  referencing new table as written for each statement execute function note_sale_change();

create table sale_standing (                          -- locked by whoever counts
  one boolean primary key default true check (one),
  walked_to text,                                     -- all orders up to this id were looked at; null: all were
  program_version integer not null,                   -- campaigns and bonus collections of versions up to it are known
  counted_at timestamptz);                            -- business clock: when all changes were last counted
insert into sale_standing (walked_to, program_version) values ('', 0);

create table sale (                                   -- what an order counts for now; no row: nothing
  order_id text primary key,
  bucket smallint,                                    -- null: a guest's
  customer_uid uuid,
  at timestamptz not null,                            -- when it was placed
  tier_uid uuid not null,                             -- of its customer then
  revenue numeric not null,                           -- goods, less discounts and refunds: minor units
  points bigint not null,                             -- that it earns
  awarded bigint not null,                            -- of these, given so far
  parts jsonb not null);                              -- {runs: [{run, revenue, points, extra}], collections: [{id, revenue}]}
create index sale_customer on sale (bucket, customer_uid, at) where customer_uid is not null;

create table sale_slot (                              -- sums by quarters of an hour, so that the days of any time zone can be summed
  slot timestamptz not null,
  tier_uid uuid not null,
  is_guest boolean not null,
  orders bigint not null,
  campaign_orders bigint not null,                    -- of these, in a campaign
  revenue numeric not null,
  points numeric not null,
  awarded numeric not null,
  primary key (slot, tier_uid, is_guest)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table sale_collection (                        -- goods of collections that ever had a bonus, with or without it
  collection_id text not null,
  slot timestamptz not null,
  orders bigint not null,
  revenue numeric not null,
  primary key (collection_id, slot)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table sale_run (                               -- campaigns and bonus collections of all versions of the program
  run text primary key,                               -- campaign/<start>/<name>, bonus/<start>/<collection>
  kind text not null check (kind in ('campaign', 'bonus')),
  name text not null,                                 -- of a bonus: its collection
  starts_at timestamptz,
  ends_at timestamptz,
  program_version integer not null);                  -- the last that has it
create index sale_run_start on sale_run (starts_at desc nulls last, run);

create table sale_result (                            -- what the orders of a run come to, by tier; the nil uuid: of all tiers
  run text not null,
  tier_uid uuid not null,
  orders bigint not null,
  customers bigint not null,                          -- with such an order
  revenue numeric not null,
  points numeric not null,
  extra numeric not null,                             -- of the points, those that the run alone gave
  primary key (run, tier_uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table sale_reach (                             -- a customer's orders in a run
  run text not null,
  tier_uid uuid not null,
  bucket smallint not null,
  customer_uid uuid not null,
  orders integer not null,
  primary key (run, tier_uid, bucket, customer_uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);

create table sale_buyer (                             -- a customer's orders ever; no row: none
  bucket smallint not null,
  customer_uid uuid not null,
  orders bigint not null,
  revenue numeric not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (bucket, customer_uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
