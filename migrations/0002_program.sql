-- Everything a store sets is one document, kept in versions that are never changed. program.md 9.

create table program_version (
  version integer primary key check (version > 0),
  uid uuid not null unique,                           -- names the version across databases: the key of a process's cache
  document json not null,                             -- json, not jsonb: keeps the order of the members as shown
  author text not null,
  created_at timestamptz not null,                    -- valid from then on; never falls from one version to the next
  shortened_at timestamptz);                          -- when dates of points were last brought forward. program.md 5
