-- What was said of a customer's tags and when, so that an order sees those of its processed time. program.md 4.

create table tag_statement (                          -- the tags at a time are these statements, one upon the other
  bucket smallint not null,
  customer_uid uuid not null,
  at timestamptz not null,                            -- the platform's time
  digest text not null generated always as (md5(statement)) stored,
  statement text not null,                            -- JSON: tags (the whole set) or null, added, removed
  primary key (bucket, customer_uid, at, digest));
