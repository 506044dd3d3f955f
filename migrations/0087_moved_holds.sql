-- A balance as of a past moment has only the holds that were the customer's then (docs/explain.md). null: it was never moved, or by an
-- earlier version.

alter table reservation add column moved_at timestamptz; -- when a merge gave it to the customer
