-- What the dashboard shows of webhooks, jobs and intake: lists by topic and time, and work that a person asked for.

-- An event's topic and time: the list of each topic, and the log that is pruned.
drop index outbox_event_inserted;
create index outbox_event_topic on outbox_event (topic, inserted_at);

-- A failed delivery's due_at is when it failed: what has failed since then is counted and sent again.
drop index delivery_failed;
create index delivery_failed on delivery (subscription_uid, due_at, uid) where state = 'failed';

-- What was acknowledged, without what was tried in vain.
create index attempt_acknowledged on attempt (recorded_at, uid) where status = 200;

create index receipt_topic on receipt (topic, uid);

-- What each job is and when it is next due, as the workers know it.
create table job_plan (
  name text primary key,
  position smallint not null,                         -- its place in the list
  timing text not null check (timing in ('machine', 'store')),
  next_at timestamptz);                               -- business clock; null: by machine time, or never

-- A person's wish that a job runs now; it counts until a run has begun after it.
create table job_request (
  job text primary key,
  requested_at timestamptz not null);                 -- machine clock
