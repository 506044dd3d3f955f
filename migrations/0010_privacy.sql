-- Merged customers, and what platforms ask of personal data. program.md 3 and 7, platforms.md 1.1.

create index balance_merged on balance (merged_into) where merged_into is not null;

alter table customer add column redacted_at timestamptz;      -- the person is forgotten; the ledger's sums and the ids stay

create index receipt_of_customer on receipt (subject) where subject like 'customer/%';   -- to be handed out or erased

create table privacy_request (                        -- what a person has to answer or to confirm
  uid uuid primary key,
  kind text not null check (kind in ('customer_data', 'shop_redaction')),
  reference text not null,                            -- the platform's id of the request, or of the shop
  storefront_id text,                                 -- whose data; null: the whole shop
  order_ids text[] not null default '{}',
  requested_at timestamptz not null,
  done_at timestamptz,
  done_by text,
  unique (kind, reference));
create index privacy_request_open on privacy_request (requested_at) where done_at is null;
