-- What each person moved without a second person within 24 hours: one allowance over adjustments, imports and their undoing.

create table staff_movement (                         -- rows older than the allowance's hours go with their person's next movement
  id bigint generated always as identity primary key,
  staff_uid uuid not null,
  at timestamptz not null,                            -- business clock
  bucket smallint,                                    -- of an adjustment: its customer then
  customer_uid uuid,
  import_uid uuid,                                    -- of an import: what it moves of each customer stands in import_row
  is_undo boolean not null default false,             -- of an import: it was undone, each row moved the other way
  given numeric not null check (given >= 0),          -- sums of a file may be beyond a bigint
  taken numeric not null check (taken >= 0),
  check ((bucket is null) = (customer_uid is null)),
  check ((customer_uid is null) <> (import_uid is null)));
create index staff_movement_person on staff_movement (staff_uid, at);

-- The last 24 hours count from the start.
insert into staff_movement (staff_uid, at, bucket, customer_uid, given, taken)
select e.actor_id::uuid,
  e.at,
  i.bucket,
  i.customer_uid,
  greatest(p.points, 0),
  greatest(-p.points, 0)
from audit_entry e
join customer_alias i on i.storefront_id = e.subject_id
cross join lateral (select (e.after->>'point_value')::numeric as points) p
where e.action in ('points.adjusted', 'points.adjustment_undone')
  and e.actor_kind = 'staff'
  and e.subject_kind = 'customer'
  and p.points <> 0
  and e.at > (select max(at) from audit_entry) - interval '24 hours';

insert into staff_movement (staff_uid, at, import_uid, given, taken)
select i.started_by_uid,
  i.started_at,
  i.uid,
  sum(s.points_added),
  sum(s.points_taken)
from import i
join import_step s on s.import_uid = i.uid and s.phase = 'check'
where i.kind = 'points'
  and i.started_by_uid is not null
  and i.started_at > (select max(at) from audit_entry) - interval '24 hours'
group by i.uid;
