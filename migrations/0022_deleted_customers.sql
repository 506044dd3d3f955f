-- Counts leave those who were deleted out: found without reading every customer.
create index customer_deleted on customer (bucket, customer_uid) where deleted_at is not null;
