-- outside a transaction
drop index concurrently if exists tier_change_feed;
create index concurrently tier_change_feed on tier_change (fed_at, uid) where fed_at is not null;
