-- Imports of customers from files. program.md 2, customers.

alter table import drop constraint import_kind_check;
alter table import add constraint import_kind_check check (kind in ('points', 'tiers', 'customers'));

drop index import_content;
create unique index import_content on import ((kind = 'customers'), content_sha256)   -- moves points or tiers once; of customers it says the same again
where state in ('uploaded', 'checking', 'checked', 'importing', 'undoing')
  or (state = 'imported' and kind <> 'customers');

create table import_profile (                         -- the rows of customers that the check found good, until they are done
  import_uid uuid not null,
  bucket smallint not null check (bucket between 0 and 255),   -- by the id that is shown: rows of one customer share a lane
  n integer not null,                                 -- of the file's rows, from 1
  line integer not null,                              -- where it begins in the file, from 1
  storefront_id text not null,
  profile jsonb not null,                             -- what the row says, by column of customer; absent: unknown
  primary key (import_uid, bucket, n));
create index import_profile_person on import_profile (storefront_id);  -- to be forgotten

alter table import_step
  add column created_count bigint not null default 0, -- of good rows of customers; of a check the whole file's, with batch 0
  add column changed_count bigint not null default 0;
