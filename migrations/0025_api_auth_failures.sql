-- Requests with no credential that is known, summed up by hour and address: at most 21 rows an hour, kept 30 days.
create table api_auth_failure (
  hour timestamptz not null,                          -- business clock
  address text not null,                              -- an IPv6 address as its /64; '': all beyond the first 20 of the hour
  failures bigint not null check (failures > 0),
  told bigint not null check (told between 0 and failures),   -- of them, those that the audit log has
  last_at timestamptz not null,
  primary key (hour, address));
