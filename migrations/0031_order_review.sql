-- Customers whose tier or tags became others for a time that has passed: their orders from then on are judged again. program.md 4.

create table order_review (                           -- written with what changed; leaves when the orders are done
  uid uuid primary key,
  bucket smallint not null,
  customer_uid uuid not null,
  cause text not null check (cause in ('tier', 'tags')),
  from_at timestamptz not null,                       -- orders processed at or after it
  after_id text not null default '',                  -- orders up to this id are done
  asked_at timestamptz not null);                     -- business clock
create index order_review_customer on order_review (bucket, customer_uid);
create index order_review_asked on order_review (asked_at, uid);
