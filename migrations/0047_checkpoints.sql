-- Signed checkpoints over the whole ledger and the audit log: two Merkle trees (RFC 6962), written by the worker behind the settled
-- mark (decision 32). Their tables stay on the coordinator of a distributed store.

create table tree_node (                              -- full subtrees of 256, 65,536, ... leaves; the rest is hashed from the rows
  log smallint not null check (log in (1, 2)),        -- 1: allotments by (allotted_at, uid); 2: audit entries by id
  height smallint not null,                           -- 8, 16, 24, ...: two to this power leaves
  n bigint not null,
  hash bytea not null,
  last_at timestamptz,                                -- of height 8: its last leaf, an allotment's time and uid or an entry's id
  last_uid uuid,
  last_id bigint,
  primary key (log, height, n));
create index tree_node_time on tree_node (last_at, last_uid) where log = 1 and height = 8;

create table checkpoint (                             -- pruned to one an hour after a day
  n bigint primary key,
  key_uid uuid not null,
  allotments bigint not null,                         -- leaves that it covers
  entries bigint not null,
  note text not null,                                 -- the signed text, which is what counts
  created_at timestamptz not null);

create table checkpoint_mark (                        -- how far the audit log is settled: ids are committed out of order
  one boolean primary key default true check (one),
  seen_id bigint not null default 0,                  -- the newest entry that a run saw
  floor_id bigint not null default 0,                 -- the one that the run before it saw, and a number by which whoever wrote before has one
  floor_xid xid8,
  settled_id bigint not null default 0);
insert into checkpoint_mark default values;

create table self_check (                             -- the worker's check of the ledger in slices
  one boolean primary key default true check (one),
  next_bucket smallint not null default 0,
  buckets_a_slice smallint not null default 4,
  next_tile bigint not null default 0,
  pass_started_at timestamptz,                        -- machine clock, as the two below
  pass_ended_at timestamptz,                          -- the last whole pass
  checked_at timestamptz,
  passes bigint not null default 0,
  breaches jsonb not null default '[]',               -- what the running or the last pass found: at most 100
  pass_breaches jsonb not null default '[]');         -- of the pass that runs
insert into self_check default values;
