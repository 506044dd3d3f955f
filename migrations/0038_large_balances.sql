-- Customers with many lots: each look at such a balance is paid for by a pause, so that one whom everybody posts to slows nobody down.

create table figure_large (
  bucket smallint not null,
  customer_uid uuid not null,
  lots integer not null,                              -- rows that the last look read
  looked_at timestamptz not null,                     -- machine clock
  is_due boolean not null,                            -- the balance changed since, and is looked at after the pause
  primary key (bucket, customer_uid)) with (fillfactor = 50);
