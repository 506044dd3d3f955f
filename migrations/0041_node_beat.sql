-- What a node wrote last of the moment by its own clock: a replica that shows it has all that was committed before.

create table node_beat (
  node_uid uuid primary key,                          -- of one process, made at its start
  sent_ms double precision not null,                  -- by the process's own clock, which nobody else can read
  beat_at timestamptz not null) with (fillfactor = 50); -- machine clock: rows of processes that are gone are removed
