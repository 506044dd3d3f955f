-- What a storefront's page may ask for one customer: the keys by which the store's server signs tokens, and the pages' origins.

create table storefront_key (
  uid uuid primary key,
  name text not null check (length(name) between 1 and 100),
  kid text not null unique,                           -- names the key in a token's header
  secret_sealed bytea,                                -- the service verifies with it; gone once the key is revoked
  scopes text[] not null check (scopes <@ array['read', 'redeem'] and 'read' = any (scopes)),
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz,
  check ((secret_sealed is null) = (revoked_at is not null)));
create unique index storefront_key_name on storefront_key (name) where revoked_at is null;

create table storefront_origin (
  origin text primary key check (length(origin) <= 300),   -- as browsers send it
  created_at timestamptz not null);

create trigger storefront_key_audited after insert or update or delete on storefront_key
for each row execute function audit_settings('storefront_key', 'kid', 'secret_sealed', 'last_used_at');
create trigger storefront_origin_audited after insert or update or delete on storefront_origin
for each row execute function audit_settings('storefront_origin', 'origin', '', '');
