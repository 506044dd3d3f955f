create table backup_run (                             -- backups that were begun, by the worker's schedule or a command
  uid uuid primary key,
  cause text not null check (cause in ('schedule', 'command')),
  kind text not null check (kind in ('logical', 'physical')),
  place text not null,
  started_at timestamptz not null,                    -- by the machine's clock
  ended_at timestamptz,                               -- null: it runs, or its process died
  error text,                                         -- of one that failed
  row_count bigint,                                   -- null of a physical one
  byte_count bigint,
  is_encrypted boolean);
create index backup_run_started on backup_run (started_at);
