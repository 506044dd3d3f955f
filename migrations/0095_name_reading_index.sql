-- outside a transaction
-- Customers by the reading of their name: only those who have one are in the index.
drop index concurrently if exists customer_readings;
create index concurrently customer_readings on customer
using gin (search_grams(search_text(search_fold(name_reading), null))) with (gin_pending_list_limit = 256)
where deleted_at is null and name_reading is not null;
