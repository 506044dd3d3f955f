-- What platforms and scripts sent, as it came, and how far it is. program.md 4, platforms.md 4.3.
-- One transaction a receipt, under an advisory lock of its subject: no lease that could run out. due_at, by which a failed
-- one is tried again, is the database's machine clock; received_at is the service's.

create table receipt (
  key bytea primary key,                              -- sha256 of adapter, delivery id, topic and raw body: the id is not signed
  uid uuid not null unique,                           -- UUIDv7: the order of arrival
  adapter text not null,                              -- who reads the body: a platform, or 'neutral' for POST /intake/events
  topic text not null,
  delivery_key text not null,                         -- as the sender knows it; not signed, not unique
  subject text not null,                              -- 'order/<id>', 'customer/<id>': one at a time; '' where there is none
  state text not null check (state in ('new', 'waiting', 'done', 'failed', 'quarantined')),
  note text,                                          -- why it waits, failed, was quarantined or says nothing to us
  attempts smallint not null default 0,
  due_at timestamptz not null default now(),
  received_at timestamptz not null,
  headers jsonb,                                      -- those that the adapter reads, in lower case
  body bytea,                                         -- the raw bytes; dropped with the headers 30 days after it is done
  check (state = 'done' or body is not null))
  with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
create index receipt_new on receipt (uid) include (subject, due_at) where state = 'new';
create index receipt_subject on receipt (subject, uid) where state in ('new', 'waiting');
create index receipt_stuck on receipt (state, uid) where state in ('waiting', 'failed', 'quarantined');
create index receipt_body on receipt (received_at) where state = 'done' and body is not null;
