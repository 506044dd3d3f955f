-- Saved filters over customers, and the customers that each found when it was last counted: a list that the worker makes.

create table segment (
  uid uuid primary key,
  name text not null check (length(name) between 1 and 255),
  filter jsonb not null,
  created_by text not null,
  created_at timestamptz not null,                    -- business clock
  asked_at timestamptz not null,                      -- when the last count was asked for: relative days are counted from it
  generation integer not null,                           -- of the list that is being made, or was made last
  shown_generation integer,                              -- of the list that is shown; null: none is complete yet
  next_bucket smallint,                               -- the list is being made and has come so far; null: it is made
  found bigint not null default 0,                    -- so far, in the list that is being made
  customers bigint,                                   -- in the shown list
  counted_at timestamptz);                            -- as of when: its asked_at
create unique index segment_name on segment (lower(name));

create table segment_customer (
  segment_uid uuid not null,
  generation integer not null,
  bucket smallint not null,
  customer_uid uuid not null,
  primary key (segment_uid, generation, bucket, customer_uid)) with (autovacuum_vacuum_scale_factor = 0.02);

create table segment_dropped (                        -- lists that nobody sees any more: the worker deletes their rows
  segment_uid uuid not null,
  generation integer not null,
  primary key (segment_uid, generation));
