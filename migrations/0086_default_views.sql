-- The view with which a person's navigation opens a list, on whatever computer they sign in: at most one for each list.

create table default_view (
  staff_uid uuid not null references staff,
  list text not null check (length(list) between 1 and 40),
  view_uid uuid not null references saved_view on delete cascade,
  primary key (staff_uid, list));
