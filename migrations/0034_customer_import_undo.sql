-- Imports of customers can be undone: what each row made or changed, and what was there before. issue 12, 3.

alter table import add column keeps_changes boolean not null default false;   -- whether all of its rows have left what undoing needs

create table import_change (
  import_uid uuid not null,
  bucket smallint not null check (bucket between 0 and 255),   -- the lane that the row was worked in: that of its import_profile
  n integer not null,
  line integer not null,
  customer_bucket smallint not null,
  customer_uid uuid not null,
  is_created boolean not null,                        -- the row made the customer
  before jsonb not null,                              -- by member: what the row replaced; of one that it made nothing
  after jsonb not null,                               -- by member: what it wrote; of one that it made all members
  primary key (import_uid, bucket, n));
create index import_change_person on import_change (customer_uid);  -- to be forgotten, and told to the person
