-- Sums of each customer's changes by the columns of a statement (ledger/change-columns.ts), added up by the daily walk: a statement of all time reads
-- them and only the allotments since.
alter table figure_customer
  add column summed_version bigint not null default 0, -- the sums are those of all versions up to this one
  add column points_earned bigint,                    -- null: no change
  add column points_adjusted bigint,
  add column points_spent bigint,
  add column points_returned bigint,
  add column points_refunded bigint,
  add column points_expired bigint;
alter table figure_standing
  add column walk_from timestamptz,                   -- the settled mark when the present or the last walk began
  add column summed_at timestamptz;                   -- the sums have what was allotted up to here; null: not all customers have some yet
