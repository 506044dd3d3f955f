-- What setting a balance settled, and sums by which a long history is explained.
create table settled_debt (                           -- append only: what was owed (shortfall `owe`) when a balance was set, and is owed no more
  bucket smallint not null,
  customer_uid uuid not null,
  version bigint not null,                            -- the allotment that set the balance
  points bigint not null check (points > 0),
  primary key (bucket, customer_uid, version));

create table allotment_block (                        -- append only: sums of a customer's versions block * 1000 + 1 to (block + 1) * 1000,
  bucket smallint not null,                           -- which never change; made when a balance is explained
  customer_uid uuid not null,
  block bigint not null check (block >= 0),
  type text not null,
  count bigint not null,
  given numeric not null,
  taken numeric not null,                             -- at most 0
  primary key (bucket, customer_uid, block, type));
