-- What another app says of a customer before the first allotment here: shown, never counted.
create table history_entry (
  bucket smallint not null,
  customer_uid uuid not null,
  occurred_at timestamptz not null,
  import_uid uuid not null,
  n bigint not null,                                  -- the row of the import
  points bigint not null,                             -- below zero: used, expired or taken
  kind text not null check (kind in ('earned', 'used', 'expired', 'adjusted')),
  source text not null,                               -- the app that says so
  note text,                                          -- erased with the person, with its row
  primary key (bucket, customer_uid, occurred_at, import_uid, n));
create index history_entry_import on history_entry (import_uid, n);
