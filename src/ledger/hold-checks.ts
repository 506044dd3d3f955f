import type { LedgerCheck } from "./ledger-checks.ts";

/** The checks of `pointkeeper verify` on holds (program.md 3). */
export const HOLD_CHECKS: readonly LedgerCheck[] = [
  {
    name: "holds",
    says: "a balance holds the sum of its reservations, no more than it has, and knows when the first one ends",
    text: `select coalesce(b.customer_uid, r.customer_uid) as customer_uid,
  format('reservations hold %s until %s; the balance of %s says %s, %s', coalesce(r.points, 0), r.until,
    b.ledger_points, b.held_points, b.held_until) as found
from (
  select *
  from balance
  where bucket between $1 and $2) b
full join (
  select customer_uid, sum(point_value) as points, min(expires_at) as until
  from reservation
  where bucket between $1 and $2 and state = 'held'
  group by customer_uid) r on r.customer_uid = b.customer_uid
where coalesce(r.points, 0) is distinct from b.held_points
  or coalesce(r.until, 'infinity') is distinct from b.held_until
  or b.held_points > b.ledger_points`,
  },
  {
    name: "captures",
    says: "what was captured of a reservation was taken from the balance once, and nothing else was",
    text: `select coalesce(r.customer_uid, a.customer_uid) as customer_uid,
  format('reservation %s captured %s at version %s; the ledger has %s at version %s', coalesce(r.uid::text, a.source_key),
    coalesce(r.captured_points, 0), r.captured_version, coalesce(a.point_value, 0), a.version) as found
from (
  select *
  from reservation
  where bucket between $1 and $2 and state = 'captured') r
full join (
  select *
  from allotment
  where bucket between $1 and $2 and source_key like 'hold/%') a
  on a.customer_uid = r.customer_uid and a.source_key = 'hold/' || r.uid || '/1'
where coalesce(r.captured_points, 0) <> coalesce(-a.point_value, 0)
  or r.captured_version is distinct from a.version`,
  },
];
