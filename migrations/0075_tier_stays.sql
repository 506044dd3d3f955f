-- The lists behind the tiers of past months: who was in a tier at the end of a month, and who kept one. A stay in a tier lasts from the month of the
-- move into it, or in which the member joined, to the month of the move out of it.

-- Null: written by a node of the release before. It is in no list until the figures are counted anew.
alter table growth_moved add column since integer;    -- the month in which the stay began that the move ended
with ordered as (
  select split_part(part, ':', 1)::integer as month,
    bucket,
    customer_uid,
    joined,
    n
  from growth_customer
  cross join lateral string_to_table(moves, ' ') with ordinality as p (part, n)
  where part <> '')
update growth_moved m
set since = o.since
from (
  select month,
    bucket,
    customer_uid,
    coalesce(lag(month) over (partition by bucket, customer_uid order by n), joined) as since
  from ordered) o
where o.month = m.month
  and o.bucket = m.bucket
  and o.customer_uid = m.customer_uid;
