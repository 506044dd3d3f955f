-- Imports of points and tiers from files. program.md 2, 3 (csv/<import>/<row>) and 6.

create table import (
  uid uuid primary key,
  kind text not null check (kind in ('points', 'tiers')),
  state text not null default 'uploading' check (state in
    ('uploading', 'uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing', 'undone', 'given_up')),
  file_name text not null,
  created_at timestamptz not null,                    -- business clock
  created_by_uid uuid not null,                       -- who of the staff; the name as it was
  created_by text not null,
  content_sha256 bytea,                               -- null while it is uploaded
  byte_count bigint,
  piece_count integer,
  line_count integer,                                 -- about: line ends in the bytes
  encoding text not null default 'utf-8' check (encoding in ('utf-8', 'shift_jis', 'utf-16le', 'utf-16be')),
  separator text not null default ',' check (separator in (',', E'\t', ';')),
  has_header boolean not null default true,
  columns jsonb not null default '{}',                -- by member: the column's position, from 0
  options jsonb not null default '{}',                -- origin, whether points extend, reason, note
  error text,                                         -- why the file could not be read as such; the settings may be changed then
  unreadable_line integer,
  customer_count bigint,                              -- of the check
  warning_count bigint,
  largest_points numeric,                             -- the most that the rows of one customer add, or that they take
  checked_by_uid uuid,                                -- who started the last check
  started_at timestamptz,
  started_by_uid uuid,
  started_by text,
  finished_at timestamptz,
  undone_at timestamptz,
  undone_by text,
  attempts smallint not null default 0,               -- of the work in hand since something of it was done
  lease_uid uuid,                                     -- who works on it, until when by the database's machine clock
  lease_until timestamptz,
  check (state = 'uploading' or content_sha256 is not null));
create unique index import_content on import (content_sha256)   -- the same file counts once
where state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing');
create index import_created on import (created_at, uid);
create index import_working on import (created_at) where state in ('checking', 'importing', 'undoing');

create table import_piece (                           -- the file as it came, in pieces, so that any node can read it
  import_uid uuid not null,
  n integer not null,
  bytes bytea not null,
  primary key (import_uid, n));
alter table import_piece alter column bytes set storage external;

create table import_row (                             -- the rows that the check found good
  import_uid uuid not null,
  bucket smallint not null,                           -- the customer's when it was checked: the lane that the row is worked in
  n integer not null,                                 -- of the file's rows, from 1: the natural key is csv/<import>/<n>
  line integer not null,                              -- where it begins in the file, from 1
  customer_uid uuid not null,
  point_value bigint check (point_value <> 0),
  extends boolean,
  reason_type text,
  note text,
  tier_uid uuid,                                      -- of tiers; null: stays as it is
  minimum_tier_uid uuid,
  clears_minimum boolean,
  skip_next_check boolean,
  before jsonb,                                       -- of tiers: the standing before the row and after it, as stored
  after jsonb,
  primary key (import_uid, bucket, n));
create index import_row_notes on import_row (bucket, customer_uid) where note is not null;  -- to be forgotten

create table import_fault (                           -- what is wrong with rows, and what could not be done with them
  import_uid uuid not null,
  phase text not null check (phase in ('check', 'warning', 'import', 'undo')),
  n integer not null,
  line integer not null,
  code text not null,
  member text,
  value text,                                         -- as it stood in the file, shortened; of an undo the points that were left
  primary key (import_uid, phase, n, code));
create index import_fault_values on import_fault (import_uid)  -- to be forgotten; the others are counts
where value is not null and code not in ('points_left', 'above_balance');

create table import_step (                            -- what is done, kept with each batch in its transaction
  import_uid uuid not null,
  phase text not null check (phase in ('check', 'import', 'undo')),
  n integer not null,                                 -- check: the batch of the file; import, undo: the lane of buckets
  row_count bigint not null default 0,                -- worked through
  good_count bigint not null default 0,
  points_added numeric not null default 0,            -- sums of a file may be beyond what a balance may be
  points_taken numeric not null default 0,            -- not negative
  at_bucket smallint,                                 -- the last row that is done, of a lane
  at_n integer,
  primary key (import_uid, phase, n));
