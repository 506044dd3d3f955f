-- Mails that wait to be sent, and what became of each: a queue that is bounded, and a log of 30 days.

create table mail (
  uid uuid primary key,
  idempotency_key text not null unique check (length(idempotency_key) between 1 and 255),
  category text not null check (category in ('access', 'alert', 'report', 'customer', 'test')),
  priority smallint not null,                         -- the lower ones are sent first
  recipient text not null,
  subject text not null,                              -- holds no secret: it stays in the log
  content_sealed bytea,                               -- text, HTML, attachments, headers; null: sent or given up
  bucket smallint,                                    -- of a mail to a customer: erased with them
  customer_uid uuid,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'expired')),
  created_at timestamptz not null,                    -- business clock
  expires_at timestamptz,                             -- business clock: not sent from then on; null: always worth sending
  attempts smallint not null default 0,
  lease_uid uuid,
  lease_until timestamptz not null default '-infinity',
  ended_at timestamptz,                               -- machine clock
  error text check (length(error) <= 300),            -- of the last attempt that failed
  check ((state = 'waiting') = (ended_at is null)),
  check (state = 'waiting' or content_sealed is null));
create index mail_waiting on mail (priority, lease_until, uid) where state = 'waiting';
create index mail_ended on mail (ended_at) where state <> 'waiting';
create index mail_customer on mail (bucket, customer_uid) where customer_uid is not null;
