import type { LedgerCheck } from "../ledger/verify/ledger-checks.ts";

/** The checks that `pointkeeper verify` runs on orders (program.md 4): they compare what orders store with the ledger. */
export const ORDER_CHECKS: readonly LedgerCheck[] = [
  {
    name: "order postings",
    says: "each posting of an order has an allotment with the same key and the same points",
    text: `select p.customer_uid,
  format('%s of order %s took %s at version %s; the ledger has %s of %s there', p.cause, p.order_id, p.taken, p.version,
    coalesce(a.source_key, 'nothing'), coalesce(a.point_value, 0)) as found
from order_posting p
left join allotment a on a.bucket = p.bucket and a.customer_uid = p.customer_uid and a.version = p.version
  and a.bucket between $1 and $2
where p.bucket between $1 and $2
  and p.version is not null
  and (a.source_key is distinct from p.cause or a.point_value is distinct from p.taken)
union all
select p.customer_uid,
  format('%s of order %s took %s without an allotment', p.cause, p.order_id, p.taken) as found
from order_posting p
where p.bucket between $1 and $2
  and p.version is null
  and p.taken <> 0`,
  },
  {
    name: "order points",
    says: "the allotments of an order add up to the points of its postings",
    text: `select coalesce(l.customer_uid, o.customer_uid) as customer_uid,
  format('allotments of order %s sum to %s, its postings to %s', coalesce(l.order_id, o.order_id),
    coalesce(l.points, 0), coalesce(o.points, 0)) as found
from (
  select a.customer_uid, substr(a.parent, 7) as order_id, sum(a.point_value) as points
  from allotment a
  where a.bucket between $1 and $2
    and a.parent like 'order-%'
    and a.type in ('fulfillment', 'tax', 'refund', 'coupon_reimbursement')
  group by a.customer_uid, a.parent) l
full join (
  select p.customer_uid, p.order_id, sum(p.taken) as points
  from order_posting p
  where p.bucket between $1 and $2
  group by p.customer_uid, p.order_id) o on o.customer_uid = l.customer_uid and o.order_id = l.order_id
where coalesce(l.points, 0) <> coalesce(o.points, 0)`,
  },
  {
    name: "orders",
    says: "the stored points of an order are the sums of its postings and of its coupons",
    text: `select o.customer_uid,
  format('order %s says %s awarded and %s redeemed; its postings took %s, its coupons cost %s', o.order_id,
    o.awarded_points, o.redeemed_points, p.points, u.points) as found
from store_order o
cross join lateral (
  select coalesce(sum(p.taken), 0) as points
  from order_posting p
  where p.order_id = o.order_id
    and p.cause not like 'coupon_return/%') p
cross join lateral (
  select coalesce(sum(u.points), 0) as points
  from coupon_use u
  where u.order_id = o.order_id) u
where o.bucket between $1 and $2
  and (o.awarded_points <> p.points or o.redeemed_points <> u.points)`,
  },
  {
    name: "orders set off",
    says: "an order's awards are set off against at most the points that could not be taken back for it, and at most these are forgiven",
    text: `select o.customer_uid,
  format('%s of order %s could not be taken back; %s was set off, %s is said to be forgiven', p.missing, o.order_id, p.set_off,
    o.forgiven_points) as found
from store_order o
cross join lateral (
  select coalesce(sum(p.taken - p.wanted) filter (where p.wanted < 0), 0) as missing,
    coalesce(sum(p.wanted - p.taken) filter (where p.outcome = 'set_off'), 0) as set_off,
    coalesce(sum(p.taken - p.wanted) filter (where p.outcome = 'capped'), 0) as capped,
    count(*) filter (where not coalesce(p.taken_elsewhere, 0) between 0 and greatest(p.taken - p.wanted, 0)) as odd
  from order_posting p
  where p.order_id = o.order_id
    and p.cause not like 'coupon_return/%') p
where o.bucket between $1 and $2
  and (p.set_off > p.missing or o.forgiven_points > p.capped or p.odd > 0)`,
  },
  {
    name: "order spend",
    says: "all counted spend belongs to an existing order of the same customer",
    text: `select s.customer_uid, format('spend is counted for order %s, which is not this customer''s', s.order_id) as found
from order_spend s
left join store_order o on o.order_id = s.order_id
where s.bucket between $1 and $2
  and (o.bucket, o.customer_uid) is distinct from (s.bucket, s.customer_uid)`,
  },
  {
    name: "coupons",
    says: "each coupon and each late use of a coupon has the allotment that took its points",
    text: `select c.customer_uid, format('coupon %s of %s points has no allotment at version %s', c.code, c.point_value, c.debit_version) as found
from coupon c
left join allotment a on a.bucket = c.bucket and a.customer_uid = c.customer_uid and a.version = c.debit_version
  and a.bucket between $1 and $2
where c.bucket between $1 and $2
  and (a.source_key is distinct from 'coupon/' || c.uid or a.point_value is distinct from -c.point_value)
union all
select u.customer_uid, format('late use of coupon %s for %s points has no allotment at version %s', u.coupon_uid, u.points, u.debit_version)
from coupon_use u
left join allotment a on a.bucket = u.bucket and a.customer_uid = u.customer_uid and a.version = u.debit_version
  and a.bucket between $1 and $2
where u.bucket between $1 and $2
  and u.is_late
  and u.points > 0
  and (a.source_key is distinct from 'coupon/' || u.coupon_uid || '/use' or a.point_value is distinct from -u.points)`,
  },
  {
    name: "coupon returns",
    says: "the returned points of a coupon are at most its cost",
    readsWholeStore: true,
    text: `select r.customer_uid, format('coupon %s gave %s of %s points back', r.uid, r.returned, r.cost) as found
from (
  select c.customer_uid,
    c.uid,
    c.point_value + coalesce(max(u.points), 0) as cost,
    coalesce(max(own.points), 0) + coalesce(sum(other.points), 0) as returned
  from coupon c
  left join coupon_use u on u.coupon_uid = c.uid and u.is_late
  left join (
    select a.customer_uid, a.object, sum(a.point_value) as points
    from allotment a
    where a.bucket between $1 and $2
      and a.type in ('coupon_reimbursement', 'coupon_cancellation')
    group by a.customer_uid, a.object) own on own.customer_uid = c.customer_uid and own.object = 'coupon-' || c.uid
  left join (
    select a.customer_uid, split_part(a.source_key, '/', 2) as coupon_uid, sum(a.point_value) as points
    from allotment a
    where a.source_key > 'coupon_return'
      and a.source_key < 'coupon_returo'
      and a.source_key not like 'api/%'
    group by a.customer_uid, split_part(a.source_key, '/', 2)) other
    on other.coupon_uid = c.uid::text and other.customer_uid <> c.customer_uid -- whom the customer was merged into
  where c.bucket between $1 and $2
  group by c.customer_uid, c.uid) r
where r.returned > r.cost`,
  },
  {
    name: "debts",
    says: "the owed points of a balance are those that could not be taken back for orders, less what later points paid and what setting the balance settled",
    readsWholeStore: true,
    // Each part runs separately, so that Citus can run it: orders stay on its coordinator.
    text: `with owed as materialized (
  select p.bucket, p.customer_uid, coalesce(p.taken_elsewhere, p.taken - p.wanted) as points
  from order_posting p
  where p.outcome = 'owed'),
paid as materialized (
  select a.bucket, a.customer_uid, a.point_value as points
  from allotment a
  where a.source_key > 'owed'
    and a.source_key < 'owee'
    and a.source_key not like 'api/%'), -- as its index says
settled as materialized (
  select s.bucket, s.customer_uid, -s.points as points
  from settled_debt s),
moved as materialized (
  select m.bucket, m.customer_uid, sum(m.points) as points
  from (select * from owed union all select * from paid union all select * from settled) m
  group by m.bucket, m.customer_uid),
held as materialized (
  select coalesce(b.merged_into, b.customer_uid) as customer_uid, m.points
  from moved m
  join balance b on b.bucket = m.bucket and b.customer_uid = m.customer_uid),
summed as materialized (
  select h.customer_uid, sum(h.points) as points
  from held h
  where ('x' || right(h.customer_uid::text, 2))::bit(8)::int between $1 and $2
  group by h.customer_uid),
said as materialized (
  select b.customer_uid, b.owed_points as points
  from balance b
  where b.bucket between $1 and $2
    and b.owed_points <> 0)
select coalesce(b.customer_uid, s.customer_uid) as customer_uid,
  format('orders, payments and settlements leave a debt of %s; the balance says %s', coalesce(s.points, 0), coalesce(b.points, 0)) as found
from said b
full join summed s on s.customer_uid = b.customer_uid
where coalesce(b.points, 0) <> coalesce(s.points, 0)`,
  },
];
