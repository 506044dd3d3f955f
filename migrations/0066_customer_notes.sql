-- What people of the store note about a customer, for one another. Removed when the customer is deleted or erased.
create table customer_note (
  bucket smallint not null,
  customer_uid uuid not null,
  uid uuid not null,                                  -- of the form that was sent: sent again, it is the same note
  body text not null check (length(body) between 1 and 2000),
  written_by uuid not null,                           -- who, in staff
  written_name text not null,                         -- as that person was called then
  written_at timestamptz not null,                    -- business clock
  primary key (bucket, customer_uid, uid));
