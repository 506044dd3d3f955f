-- outside a transaction
-- Customers by the beginning of their name's reading: only those who have one are in the index.
drop index concurrently if exists customer_reading_prefix;
create index concurrently customer_reading_prefix on customer (search_fold(name_reading) text_pattern_ops)
where deleted_at is null and name_reading is not null;
