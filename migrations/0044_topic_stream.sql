-- Events wait for their first attempt in one stream a topic, whatever the number of its receivers. Each receiver has a cursor in it. Rows of
-- event_batch, which an earlier version wrote for each receiver, become deliveries with rows of their own.

create table topic_stream (                           -- locked by whoever numbers the topic's batches
  topic text primary key,
  last_position bigint not null default 0);

create table topic_batch (                            -- events of one transaction and topic
  uid uuid primary key,                               -- its first event's
  topic text not null,
  position bigint,                                    -- in the stream, given after the commit; null: not yet
  due_at timestamptz not null,                        -- business clock
  inserted_at timestamptz not null default now(),     -- machine clock; its events have the same
  settled bigint not null default 0,                  -- bit n, from 0: event n was replaced within its transaction, and goes to nobody
  buckets smallint[] not null,
  uids uuid[] not null check (cardinality(uids) between 1 and 60))
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create unique index topic_batch_position on topic_batch (topic, position);
create index topic_batch_inserted on topic_batch (inserted_at);

create table receiver_cursor (                        -- of each subscription
  subscription_uid uuid primary key references subscription (uid) on delete cascade,
  position bigint not null,                           -- every event up to here was acknowledged or has a delivery
  settled bigint[] not null default '{}',             -- of the batches behind: element n of position + n, as in topic_batch
  lease_uid uuid)                                     -- who moves it
  with (fillfactor = 20, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);

-- Numbers the batches of a topic that have no position, and returns the stream's last one. One transaction at a time numbers a topic and
-- holds the lock until its numbers are seen: who sees a position sees every one before it.
create function number_batches(the_topic text) returns bigint language plpgsql as $$
declare
  the_last bigint;
begin
  insert into topic_stream (topic) values (the_topic) on conflict do nothing;
  select s.last_position into the_last
  from topic_stream s
  where s.topic = the_topic
  for update;
  with fresh as (
    select b.uid, row_number() over (order by b.uid) as n
    from topic_batch b
    where b.topic = the_topic
      and b.position is null
    order by b.uid
    limit 10000),
  numbered as (
    update topic_batch b
    set position = the_last + fresh.n
    from fresh
    where b.uid = fresh.uid)
  update topic_stream s
  set last_position = s.last_position + (select count(*) from fresh)
  where s.topic = the_topic
  returning s.last_position into the_last;
  return the_last;
end
$$;

-- A receiver is sent what is published after it was added: nothing is being published while a subscription is written.
create function start_cursor() returns trigger language plpgsql as $$
declare
  the_last bigint;
begin
  loop
    the_last := number_batches(new.topic);
    exit when not exists (select from topic_batch where topic = new.topic and position is null);
  end loop;
  insert into receiver_cursor (subscription_uid, position) values (new.uid, the_last);
  return null;
end
$$;
create trigger subscription_cursor after insert on subscription
  for each row execute function start_cursor();

insert into receiver_cursor (subscription_uid, position)
select uid, 0
from subscription;

create index subscription_by_topic on subscription (topic);
