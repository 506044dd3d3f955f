-- Each customer's allotments are a chain: a keyed hash of the one before it and of all its facts (decision 31). All columns are added
-- without a rewrite; rows written before, and by a node of the previous version, have none until a worker links their customer.

alter table allotment
  add column chain bigint,                            -- eight bytes of the hash: tells which allotment was changed, never enough to go on from
  add column note_digest bytea;                       -- 16 bytes of SHA-256 over salt, note and actor; null: neither
alter table allotment_note
  add column salt bytea;                              -- erased with the note, so that the digest tells nothing of it
alter table balance
  add column chained_version bigint not null default 0,   -- how far the chain goes; behind version: a node of the previous version posted
  add column chain_head bytea;                        -- 16 other bytes of the last hash, which no other row holds; null: nothing is chained

create table ledger_key (                             -- the newest signs and links; older ones tell what they signed
  uid uuid primary key,
  material_sealed bytea,                              -- the key of the chain, the private signing key, and whether every customer is linked; null: given up
  public_key bytea not null,                          -- Ed25519, 32 bytes
  linked_to_bucket smallint not null default 0,       -- the worker's way through customers who are not linked yet
  created_at timestamptz not null,
  retired_at timestamptz);                            -- secrets reset made another one
create unique index ledger_key_current on ledger_key ((true)) where retired_at is null;
