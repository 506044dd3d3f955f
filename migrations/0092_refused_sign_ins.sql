-- Refused sign-ins are counted by person and address, so that the audit log, which is kept for ever, gets few entries of an attack (docs/people.md).

create table sign_in_refusal (
  hour timestamptz not null,                          -- business clock
  subject text not null,                              -- the person's uid, or 'unknown'
  address text not null,                              -- an IPv6 address as its /64; '': all beyond the first 20 of the hour
  failures bigint not null check (failures > 0),
  recorded bigint not null check (recorded between 0 and failures),   -- of them, those that the audit log has
  primary key (hour, subject, address));
