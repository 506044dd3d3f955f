-- Points of origin sale that no order awarded had no price: they get no part of the revenue (docs/decisions/0076-points-without-a-price.md).
-- The sums of open months are separated by the worker, in steps; those of closed months stay as they are.

alter table liability_sum add column unpriced numeric not null default 0;          -- of the points: of origin sale, from no order

alter table liability_book
  add column unpriced_zone text not null default '',                               -- '': none is separated yet
  add column unpriced_at timestamptz not null default '-infinity',                 -- the last allotment whose points were separated
  add column unpriced_uid uuid not null default '00000000-0000-0000-0000-000000000000';

alter table liability_deferral add column is_apart boolean not null default false; -- whether points without a price are left out
