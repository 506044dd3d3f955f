-- Webhook subscriptions, the outbox, what is to be delivered, and the log of attempts. program.md 7.
-- No row of this file is locked by a reader: a receiver is served by the one worker that holds its lease.

create table shop (                                   -- one installation serves one store: the shop_uid of the list
  one boolean primary key default true check (one),
  uid uuid not null);

create table subscription (                           -- one a topic; changed under the exclusive advisory lock only
  topic text primary key,
  uid uuid not null unique,
  callback_url text not null,
  activated_at timestamptz not null,
  secret_sealed bytea not null,
  next_secret_sealed bytea,                           -- while it is rotated: signatures carry both
  failures integer not null default 0 check (failures >= 0),   -- in a row
  revivals integer not null default 0 check (revivals >= 0),   -- each gives every waiting delivery one early try
  lease_uid uuid,                                     -- who serves this receiver, until when by the database's machine clock
  lease_until timestamptz);

create table outbox_event (                           -- written in the transaction of the change, for 30 machine days
  bucket smallint not null,
  uid uuid not null,
  topic text not null,
  customer_uid uuid,
  version bigint,
  payload text not null,                              -- the body; of point_balances/export the export's uid
  inserted_at timestamptz not null default now(),     -- machine clock, seen by no customer
  primary key (bucket, uid));
create index outbox_event_inserted on outbox_event (inserted_at);

create table delivery (                               -- not yet acknowledged; uid is its outbox event's; done rows are gone
  bucket smallint not null,
  uid uuid not null,
  subscription_uid uuid not null,
  customer_uid uuid,
  version bigint,
  state text not null default 'waiting' check (state in ('waiting', 'failed')),
  attempts smallint not null default 0 check (attempts between 0 and 21),   -- the first and its resends, early tries apart
  revival integer not null default 0,                 -- the receiver's revivals when this was last tried
  due_at timestamptz not null,                        -- business clock
  primary key (bucket, uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index delivery_due on delivery (subscription_uid, due_at, uid) include (customer_uid) where state = 'waiting';
create index delivery_resent on delivery (subscription_uid, customer_uid, version) where state = 'waiting' and attempts > 0;
create index delivery_early on delivery (subscription_uid, uid) where state = 'waiting' and attempts > 0;
create index delivery_failed on delivery (subscription_uid, uid) where state = 'failed';

create table attempt (                                -- for 30 machine days
  bucket smallint not null,
  delivery_uid uuid not null,
  uid uuid not null,
  kind text not null check (kind in ('first', 'resend', 'early')),
  started_at timestamptz not null,                    -- business clock
  duration_ms integer not null,
  status smallint,
  failure text,                                       -- why there is no status, or why it does not count
  answer_head text,                                   -- the first 1,000 bytes of the answer
  recorded_at timestamptz not null default now(),     -- machine clock
  primary key (bucket, delivery_uid, uid));
create index attempt_recorded on attempt (recorded_at);
