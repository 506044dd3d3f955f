-- What was paid for the goods of an award, as the accountant's report counts it, and when the order counted (docs/decisions/0078-the-price-of-an-award.md).
-- Null: the row gave no points, or an earlier version posted it.

alter table order_posting
  add column price_minor bigint,                      -- minor units
  add column credited_at timestamptz;                 -- null too: the order was not credited yet
