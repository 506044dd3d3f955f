-- Points that are brought in with a date of their own, and members of another app of whom only the e-mail address is known.
alter table import_row
  add column expires_at timestamptz;                  -- of points that are given; null: computed

create table member_claim (                           -- a member known by e-mail, and the customer who turned out to have it: to be merged
  member_id text primary key,                         -- storefront id of the member
  customer_id text not null,                          -- storefront id of the customer
  claimed_at timestamptz not null);                   -- business clock
