-- Points that are held: reserved for somebody, not available, not yet spent. program.md 3.

create table reservation (
  bucket smallint not null check (bucket between 0 and 255),
  customer_uid uuid not null,
  uid uuid not null,
  point_value bigint not null check (point_value > 0),
  state text not null check (state in ('held', 'captured', 'released')),
  captured_points bigint not null default 0 check (captured_points between 0 and point_value),
  captured_version bigint,                            -- the allotment that took them
  app_reference text not null,                        -- who holds them
  held_at timestamptz not null,
  expires_at timestamptz,                             -- they come back by themselves; null: only when somebody ends it
  ended_at timestamptz,
  check ((state = 'captured') = (captured_points > 0)),
  check ((state = 'held') = (ended_at is null)),
  primary key (bucket, customer_uid, uid));
create unique index reservation_uid on reservation (uid);
create index reservation_held on reservation (bucket, customer_uid, expires_at) where state = 'held';
create index reservation_due on reservation (expires_at) where state = 'held';

-- When the first hold of the balance ends by itself: until then a row alone tells what is available.
alter table balance add column held_until timestamptz not null default 'infinity';
