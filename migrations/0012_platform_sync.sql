-- Coupons whose code is being made or removed at the platform: rows leave when that is settled. program.md 2 (Coupons) and 3.
-- Leases run by the database's machine clock: lease_until is when somebody else may go on with the row.

create table coupon_creation (                        -- its points are held; its coupon is written when they are captured
  coupon_uid uuid primary key,
  code text not null unique,                          -- upper case
  state text not null check (state in ('creating', 'released')),   -- released: points are back, a last look is due
  hold_uid uuid not null,
  storefront_id text not null,                        -- as the platform knows the customer
  bucket smallint not null,
  customer_uid uuid not null,
  point_value bigint not null check (point_value > 0),
  currency_value bigint not null,                     -- minor units of currency, the store's
  currency text not null,
  product_ids text[],                                 -- null: all products
  app_reference text not null,
  extends_expiry boolean not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  due_at timestamptz not null,
  claim_key text unique,                              -- the Idempotency-Key that began it; null: none, or released
  claim_fingerprint bytea,
  is_idle boolean not null default false,             -- its request ended without knowing: the same key may go on with it
  lease_uid uuid not null,
  lease_until timestamptz not null,
  attempts integer not null default 0);
create index coupon_creation_lease on coupon_creation (lease_until);

create table coupon_removal (                         -- the code goes first, then the points come back
  coupon_uid uuid primary key,
  code text not null,
  discount_ref text not null,
  state text not null check (state in ('cancelled', 'expired')),   -- what the coupon becomes
  app_reference text not null,                        -- who cancelled it
  lease_uid uuid not null,
  lease_until timestamptz not null,
  attempts integer not null default 0);
create index coupon_removal_lease on coupon_removal (lease_until);

create table platform_mark (                          -- how far changes at the platform were read
  resource text primary key check (resource in ('customers', 'orders')),
  changed_at timestamptz not null);                   -- the platform's clock: the newest change that was taken

create table platform_feed (                          -- exists while the platform is told of changes: with a token
  one boolean primary key default true check (one),
  allotted_at timestamptz not null,                   -- the last settled allotment that was looked at
  allotment_uid uuid not null,
  shop_ref text,                                      -- the platform's id of the shop; null: not asked yet
  shop_digest bytea,                                  -- of what the shop's metafield says
  rates_digest bytea,                                 -- of what all customers' metafields depend on
  lease_until timestamptz not null default '-infinity');   -- machine clock: who refreshes the shop's

create table platform_trigger (                       -- what workflows are to be told; told rows leave
  uid uuid primary key,                               -- of the allotment, or of the tier change
  kind text not null check (kind in ('points', 'tier')),
  bucket smallint not null,
  customer_uid uuid not null,
  version bigint,                                     -- of the allotment
  from_uid uuid,
  to_uid uuid,
  from_name text,
  to_name text,
  happened_at timestamptz not null,                   -- business clock
  is_fed boolean not null,                            -- the customer's metafield is known to be stale
  lease_until timestamptz not null default '-infinity',   -- machine clock
  attempts integer not null default 0,
  check ((kind = 'points') = (version is not null)));
create index platform_trigger_due on platform_trigger (lease_until, uid);
create index platform_trigger_unfed on platform_trigger (uid) where not is_fed;

create table platform_customer (                      -- what the platform was told of a customer
  bucket smallint not null,
  customer_uid uuid not null,
  stale bigint not null default 0,                    -- counts changes
  told bigint not null default -1,                    -- the count that the metafield has
  digest bytea,                                       -- of what the metafield says
  lease_until timestamptz not null default '-infinity',   -- machine clock
  attempts integer not null default 0,
  primary key (bucket, customer_uid)) with (fillfactor = 80);
create index platform_customer_stale on platform_customer (lease_until) where stale > told;

-- In the transaction of the change, whoever makes it; nothing where nobody is told.
create function tell_tier_changes() returns trigger language plpgsql as $$
begin
  if exists (select from platform_feed) then
    insert into platform_trigger (uid, kind, bucket, customer_uid, from_uid, to_uid, from_name, to_name, happened_at, is_fed)
    select uid, 'tier', bucket, customer_uid, from_uid, to_uid, from_name, to_name, changed_at, false
    from changed;
  end if;
  return null;
end $$;
create trigger tier_change_told after insert on tier_change
referencing new table as changed
for each statement execute function tell_tier_changes();
