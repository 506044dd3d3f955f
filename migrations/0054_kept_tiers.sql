-- What a customer brings from another app for tiers: a tier that no check lowers before a date, and money spent there.
alter table customer_tier
  add column kept_tier_uid uuid,                      -- a floor until kept_until; null: none
  add column kept_until timestamptz;

create table customer_spend_base (                    -- counted by tier checks as of its date, beside order_spend
  bucket smallint not null,
  customer_uid uuid not null,
  as_of timestamptz not null,
  import_uid uuid not null,
  spend_minor bigint not null check (spend_minor >= 0),   -- minor units of the store's currency
  primary key (bucket, customer_uid, as_of, import_uid));
create index customer_spend_base_import on customer_spend_base (import_uid);
