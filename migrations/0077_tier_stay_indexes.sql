-- outside a transaction
-- Of the lists behind the tiers of past months. A stay that goes on began with the last of a member's moves, or as they joined.
drop index concurrently if exists growth_moved_stay;
create index concurrently growth_moved_stay on growth_moved (from_uid, month, since, bucket, customer_uid);
drop index concurrently if exists growth_customer_stay;
create index concurrently growth_customer_stay on growth_customer (tier_uid, (coalesce(nullif(split_part(split_part(moves, ' ', -1), ':', 1), '')::integer, joined)), bucket, customer_uid);
