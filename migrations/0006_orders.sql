-- Orders and what they posted, products, coupons and their use, tasks for the staff. program.md 2 (Coupons) and 4.

create table store_order (                            -- locked before any coupon, which is locked before any balance
  order_id text primary key check (length(order_id) between 1 and 1000),
  platform text not null,                             -- whose events made it; the app_reference of what it posts
  bucket smallint,                                    -- null: it waits for its customer
  customer_uid uuid,
  email text,                                         -- lower case; a guest's order waits under it
  facts jsonb not null,                               -- all that its events said
  rules jsonb,                                        -- the snapshot that it earns by
  rules_for text,                                     -- the customer and the instant of the snapshot
  awardable_points bigint not null default 0,
  awarded_points bigint not null default 0,
  redeemed_points bigint not null default 0,
  forgiven_points bigint not null default 0 check (forgiven_points >= 0),
  due_at timestamptz,                                 -- when more is to be awarded; null: nothing is pending
  received_at timestamptz not null,
  check ((bucket is null) = (customer_uid is null))) with (fillfactor = 80);
create index store_order_customer on store_order (bucket, customer_uid);
create index store_order_guest on store_order (email) where customer_uid is null and email is not null;
create index store_order_due on store_order (due_at) where due_at is not null;

create table order_posting (                          -- append only; a cause counts once per order, whoever it went to
  order_id text not null,
  cause text not null,                                -- the natural key
  type text,                                          -- null: the cause came to no points
  bucket smallint,
  customer_uid uuid,
  version bigint,                                     -- its allotment; null: nothing was written
  wanted bigint not null,
  taken bigint not null,
  outcome text not null check (outcome in ('posted', 'capped', 'owed', 'refused', 'duplicate', 'settled')),
  primary key (order_id, cause));
create index order_posting_customer on order_posting (bucket, customer_uid);

create table product (                                -- what order bodies do not say of products
  product_id text primary key check (length(product_id) between 1 and 1000),
  tags text[],                                        -- null: unknown
  collections text[],
  tags_at timestamptz,                                -- the platform's version that stated them
  collections_at timestamptz);

create table coupon (
  uid uuid primary key,
  code text not null unique,                          -- upper case
  bucket smallint not null,
  customer_uid uuid not null,
  point_value bigint not null check (point_value > 0),
  currency_value bigint not null,                     -- minor units of the currency that the store had then
  product_ids text[],                                 -- null: all products
  state text not null default 'open' check (state in ('open', 'used', 'cancelled', 'expired')),   -- used: noticed by expiry
  returned_points bigint not null default 0,          -- by its cancellation or expiry; an order's returns are order postings
  debit_version bigint not null,                      -- the allotment that took its points
  discount_ref text,                                  -- the platform's name of it
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  due_at timestamptz not null);                       -- expiry and grace: its points come back then, unless it was used
create index coupon_due on coupon (due_at, uid) where state = 'open';
create index coupon_customer on coupon (bucket, customer_uid);
create index coupon_discount on coupon (discount_ref) where discount_ref is not null;

create table coupon_use (                             -- append only; the first order counts
  coupon_uid uuid primary key,
  order_id text not null,
  used_at timestamptz not null,
  is_late boolean not null,                           -- its points had come back and were taken again
  points bigint not null check (points >= 0),         -- what it cost
  bucket smallint not null,                           -- of the coupon's customer
  customer_uid uuid not null,
  debit_version bigint);                              -- null: it cost nothing
create index coupon_use_order on coupon_use (order_id);

create table staff_task (                             -- what a person has to look at
  uid uuid primary key,
  kind text not null,
  subject text not null,                              -- order/<id>
  bucket smallint,
  customer_uid uuid,
  detail jsonb not null,
  created_at timestamptz not null,
  done_at timestamptz,
  done_by text);
create index staff_task_open on staff_task (created_at) where done_at is null;
