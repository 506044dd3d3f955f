-- Events wait for their first attempt in batches. A delivery has a row of its own only when that attempt failed or had to be put off, and
-- first attempts that were acknowledged are written down together. Rows of delivery that an earlier version wrote are sent as they are.

create table event_batch (                            -- events of one transaction and topic that wait for their first attempt at one receiver
  subscription_uid uuid not null,
  uid uuid not null,                                  -- its first event's
  due_at timestamptz not null,                        -- business clock
  inserted_at timestamptz not null default now(),     -- machine clock; its events have the same
  settled bigint not null default 0,                  -- bit n, from 0: event n was acknowledged, or has a delivery of its own
  buckets smallint[] not null,
  uids uuid[] not null check (cardinality(uids) between 1 and 60),
  primary key (subscription_uid, uid)) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index event_batch_inserted on event_batch (inserted_at);

create table acknowledgement (                        -- first attempts that were acknowledged, written down together, for 30 machine days
  topic text not null,
  subscription_uid uuid not null,
  event_at timestamptz not null,                      -- the events' inserted_at, by which one is found
  recorded_at timestamptz not null default now(),     -- machine clock
  buckets smallint[] not null,
  uids uuid[] not null,                               -- of the events
  started_at timestamptz[] not null,                  -- business clock
  duration_ms integer[] not null,
  answer_heads text[] not null);
create index acknowledgement_event on acknowledgement (event_at);
create index acknowledgement_recorded on acknowledgement (topic, recorded_at);

-- An event may have a delivery for each of its topic's receivers.
alter table delivery drop constraint delivery_pkey, add primary key (bucket, uid, subscription_uid);
alter table attempt add column subscription_uid uuid; -- null: written by an earlier version, when a topic had one receiver

-- What holds back a customer's later events is any delivery that waits, also one that was put off.
create index delivery_of_customer on delivery (subscription_uid, customer_uid, version) where state = 'waiting';
drop index delivery_resent;
