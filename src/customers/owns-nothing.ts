/**
 * SQL: whether a customer `c` has nothing besides a profile, a tier and the ledger: no other id, order, coupon, request, note, and nothing that files
 * of other apps brought. One condition for each table, because a distributed database cannot join them by "or".
 */
export const OWNS_NOTHING = `not exists (select from customer_alias a where a.customer_uid = c.customer_uid and a.storefront_id <> c.storefront_id)
  and not exists (select from store_order o where o.bucket = c.bucket and o.customer_uid = c.customer_uid)
  and not exists (select from coupon p where p.bucket = c.bucket and p.customer_uid = c.customer_uid)
  and not exists (select from adjustment_request q where q.bucket = c.bucket and q.customer_uid = c.customer_uid)
  and not exists (select from customer_note n where n.bucket = c.bucket and n.customer_uid = c.customer_uid)
  and not exists (select from customer_spend_base s where s.bucket = c.bucket and s.customer_uid = c.customer_uid)
  and not exists (select from history_entry h where h.bucket = c.bucket and h.customer_uid = c.customer_uid)
  and not exists (select from moved_points m where m.bucket = c.bucket and m.customer_uid = c.customer_uid)`;
