-- The lists behind the figures of growth and results: who moved between tiers in a month, and who had which coupons and rewards.

create table growth_moved (                           -- the customers whom growth_move counts
  month integer not null,
  from_uid uuid not null,
  to_uid uuid not null,
  bucket smallint not null,
  customer_uid uuid not null,
  primary key (month, from_uid, to_uid, bucket, customer_uid)) with (autovacuum_vacuum_scale_factor = 0.02);
insert into growth_moved (month, from_uid, to_uid, bucket, customer_uid)
select split_part(part, ':', 1)::integer,
  split_part(split_part(part, ':', 2), '>', 1)::uuid,
  split_part(part, '>', 2)::uuid,
  bucket,
  customer_uid
from growth_customer
cross join lateral string_to_table(moves, ' ') as p (part)
where part <> '';

-- A customer has one allotment at an instant, so time and customer name a benefit.
create index growth_benefit_time on growth_benefit (kind, at desc, customer_uid desc);
create index growth_benefit_used on growth_benefit (kind, at desc, customer_uid desc) where is_used;
create index growth_benefit_ordered on growth_benefit (kind, at desc, customer_uid desc) where has_order;
