-- Filters and order of a list of the dashboard under a name: a person's own, or shared with all.

create table saved_view (
  uid uuid primary key,
  staff_uid uuid not null,                            -- who saved it
  list text not null check (length(list) between 1 and 40),
  name text not null check (length(name) between 1 and 60),
  filters jsonb not null,                             -- names and texts of the list's filters that say nothing of a customer
  is_shared boolean not null,
  created_at timestamptz not null);                   -- business clock
create unique index saved_view_own on saved_view (staff_uid, list, lower(name)) where not is_shared;
create unique index saved_view_shared on saved_view (list, lower(name)) where is_shared;
