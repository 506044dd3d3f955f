-- The shop's credentials and secrets, customers, the ledger, idempotency. program.md 2 and 3.
-- bucket: stable hash of customer_uid, 0..255, made by the service; a queue's lane, a slice of sweep and verify, and the
-- distribution column of a distributed PostgreSQL. Instants a customer sees come from the service's clock, never from now().

create table credential (
  uid uuid primary key,
  name text not null,                                 -- the app_reference of what it posts
  key text not null unique,
  secret_sha256 bytea not null unique,
  scopes text[] not null check (scopes <@ array['read', 'write', 'webhooks', 'intake', 'admin']),
  is_store boolean not null default false,            -- the store's own: its secret is the API secret key
  created_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz);
create unique index credential_name on credential (name) where revoked_at is null;
create unique index credential_store on credential (is_store) where is_store;

create table api_secret_key (                         -- the API secret key, encrypted at rest; two while it is rotated
  state text primary key check (state in ('current', 'next')),
  sealed bytea not null,
  secret_sha256 bytea not null,
  created_at timestamptz not null);

create table sandbox_clock (
  one boolean primary key default true check (one),
  now_at timestamptz not null);

create table customer_alias (                         -- every storefront id ever known, and whose it is
  storefront_id text primary key check (length(storefront_id) between 1 and 1000),
  bucket smallint not null,
  customer_uid uuid not null);
create index customer_alias_customer on customer_alias (customer_uid);

create table customer (                               -- null means unknown
  bucket smallint not null check (bucket between 0 and 255),
  customer_uid uuid not null,
  storefront_id text not null,                        -- the one shown
  email text,                                         -- lower case
  name text,
  birthday text check (birthday ~ '^(\d{4}-|--)\d{2}-\d{2}$'),   -- --MM-DD: the year is unknown
  accepts_marketing boolean,
  account_enabled boolean,
  tags text[],
  profile_at timestamptz,                             -- the platform's version of the profile, of the consent
  consent_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null,
  primary key (bucket, customer_uid));
create index customer_email on customer (email) where email is not null;

create table balance (                                -- locked first: order by bucket, customer_uid for no key update
  bucket smallint not null check (bucket between 0 and 255),
  customer_uid uuid not null,
  ledger_points bigint not null default 0 check (ledger_points between 0 and 9007199254740991),
  held_points bigint not null default 0 check (held_points between 0 and ledger_points),
  owed_points bigint not null default 0 check (owed_points >= 0),
  version bigint not null default 0 check (version >= 0),
  last_allotted_at timestamptz,
  active_at timestamptz,                              -- last extending activity
  active_on date,                                     -- its UTC day: the only indexed column that changes, once a day
  oldest_since timestamptz,                           -- of the lots without a date of their own
  soonest_expires_at timestamptz not null default 'infinity',   -- of the lots with one
  earned_at timestamptz,                              -- first earned by an order, the API or a reward but birthday
  merged_into uuid,
  primary key (bucket, customer_uid)) with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index balance_active_on on balance (active_on);

create table allotment (                              -- append only
  bucket smallint not null,
  customer_uid uuid not null,
  version bigint not null check (version > 0),        -- dense: a page of a customer is a range of it
  uid uuid not null,
  allotted_at timestamptz not null,                   -- rises strictly with the version; shown as inserted_at too
  type text not null,
  point_value bigint not null,
  balance_after bigint not null check (balance_after >= 0),
  source_key text not null,
  object text,
  parent text,
  action text,
  app_reference text not null,
  cascade boolean,
  origin text,
  reason_type text,
  extends boolean not null,
  program_version integer not null,
  primary key (bucket, customer_uid, version));
create unique index allotment_source on allotment (source_key) where source_key not like 'api/%';   -- once in the store
create index allotment_time on allotment (allotted_at, uid);
create index allotment_type_time on allotment (type, allotted_at, uid);
create unique index allotment_uid on allotment (uid);

create table allotment_note (                         -- what redaction erases
  bucket smallint not null,
  customer_uid uuid not null,
  version bigint not null,
  note text,
  actor text,
  primary key (bucket, customer_uid, version));

create table lot (                                    -- what is left of positive allotments; a used-up lot's row is gone
  bucket smallint not null,
  customer_uid uuid not null,
  expires_at timestamptz not null default 'infinity', -- a date of its own; else computed from since
  since timestamptz not null,
  version bigint not null,
  part integer not null default 0,                    -- points given back: a part for each lot that they were drawn from
  remaining bigint not null check (remaining > 0),
  extends boolean not null,
  origin text,
  primary key (bucket, customer_uid, expires_at, since, version, part)) -- the order in which lots of a kind burn
  with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index lot_dated on lot (expires_at) where expires_at < 'infinity';

create table draw (                                   -- append only, never undone
  bucket smallint not null,
  customer_uid uuid not null,
  by_version bigint not null,
  n integer not null,                                 -- the order of the draws of one deduction
  lot_version bigint not null,
  part integer not null,
  points bigint not null check (points > 0),
  lot_expires_at timestamptz not null,
  lot_since timestamptz not null,
  lot_extends boolean not null,
  lot_origin text,
  primary key (bucket, customer_uid, by_version, n));
create unique index draw_lot on draw (bucket, customer_uid, lot_version, part, by_version);

create table ledger_mark (                            -- every allotment at or before settled_at is committed: settled-mark.ts
  one boolean primary key default true check (one),
  floor_at timestamptz not null,
  floor_xid xid8,
  settled_at timestamptz not null);
insert into ledger_mark (floor_at, settled_at) values ('-infinity', '-infinity');

create table bookmark (                               -- the first of every 250 settled allotments of a scope: '' or a type
  scope text not null,
  n bigint not null,
  allotted_at timestamptz not null,
  uid uuid not null,
  primary key (scope, n));
create index bookmark_time on bookmark (scope, allotted_at, uid);

create table idempotency (
  credential_uid uuid not null,
  scope text not null,                                -- method and path
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null,                         -- sha256 of method, path, query, raw body
  status smallint not null,
  headers jsonb,
  body text not null,
  created_at timestamptz not null,
  primary key (credential_uid, scope, key)) with (autovacuum_vacuum_scale_factor = 0.02);
create index idempotency_created on idempotency (created_at);
