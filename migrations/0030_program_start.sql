-- From when a version of the program holds for orders, and how far orders were judged again by it. program.md 4 and 9.

alter table program_version add column valid_from timestamptz;   -- null: for all time; else up to created_at, never later
update program_version
set valid_from = created_at
where version > 1;

create table program_review (                         -- a version and the orders of its time that were judged before it was made
  version integer primary key,
  after_at timestamptz,                               -- orders up to this processed time and id are done; null: none is
  after_id text not null default '',
  orders_total bigint not null default 0,             -- of its time, when the review began
  orders_done bigint not null default 0,
  orders_changed bigint not null default 0,           -- whose points became others
  orders_failed bigint not null default 0,            -- left as they were; the log names them
  points_changed bigint not null default 0,           -- signed, as the balances gave or took them
  started_at timestamptz not null,                    -- business clock
  finished_at timestamptz);
create index program_review_open on program_review (version) where finished_at is null;

-- What was judged before this migration stays so.
insert into program_review (version, started_at, finished_at)
select version, created_at, created_at
from program_version;
