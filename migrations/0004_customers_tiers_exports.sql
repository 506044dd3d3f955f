-- Versions of a customer's members, tiers and their history, spend of orders, exports. program.md 2 and 6.

alter table customer add column member_versions jsonb not null default '{}';   -- by member: the version that last stated it

create table customer_tier (                          -- absent row: the default tier, no floor
  bucket smallint not null,
  customer_uid uuid not null,
  tier_uid uuid,                                      -- null: the default tier, whichever it is
  minimum_tier_uid uuid,
  skip_next_check boolean not null default false,
  changed_at timestamptz not null,
  primary key (bucket, customer_uid));
create index customer_tier_members on customer_tier (tier_uid);

create table tier_change (                            -- append only: which tier a customer had at an instant
  bucket smallint not null,
  customer_uid uuid not null,
  uid uuid not null,
  changed_at timestamptz not null,
  from_uid uuid,                                      -- null: the default tier
  to_uid uuid,
  cause text not null,                                -- api, check, program, manual
  actor text,
  primary key (bucket, customer_uid, changed_at, uid));

create table order_spend (                            -- what an order counts toward tiers, at its credit time
  order_id text primary key,
  bucket smallint not null,
  customer_uid uuid not null,
  credited_at timestamptz not null,
  spend_minor bigint not null);
create index order_spend_window on order_spend (bucket, customer_uid, credited_at) include (spend_minor);

create table export (
  uid uuid primary key,
  state text not null default 'processing' check (state in ('processing', 'ready', 'failed')),
  start_at timestamptz not null,
  end_at timestamptz not null check (end_at > start_at),
  requested_at timestamptz not null,                  -- business clock: the 8 hours, the 30 days
  requested_by text not null,
  finished_at timestamptz,
  row_count bigint,
  byte_count bigint,
  piece_count integer,
  error text,
  attempts smallint not null default 0,
  lease_uid uuid,                                     -- who makes it, until when by the database's machine clock
  lease_until timestamptz);
create index export_requested on export (requested_at);
create index export_processing on export (requested_at) where state = 'processing';

create table export_piece (                           -- the file, in pieces, so that any node can send it
  export_uid uuid not null,
  n integer not null,
  bytes bytea not null,
  primary key (export_uid, n));
alter table export_piece alter column bytes set storage external;
