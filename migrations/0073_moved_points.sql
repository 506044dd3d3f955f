-- Which points a file of another app gave a customer: a file that was saved or exported again is another move, and finds them here.
create table moved_points (
  bucket smallint not null,
  customer_uid uuid not null,                         -- who has them now: goes with a merge
  import_uid uuid not null,                           -- the move's import of points; removed as it is undone
  points bigint not null check (points >= 0),         -- as the file has them
  primary key (bucket, customer_uid, import_uid));

insert into moved_points (bucket, customer_uid, import_uid, points)
select get_byte(uuid_send(h.uid), 15), h.uid, r.import_uid, sum(r.point_value)
from import i
join import_row r on r.import_uid = i.uid
join balance b on b.bucket = r.bucket and b.customer_uid = r.customer_uid
join allotment a on a.bucket = r.bucket
  and a.customer_uid = r.customer_uid
  and a.source_key = 'csv/' || r.import_uid || '/' || r.n
  and a.source_key not like 'api/%'
cross join lateral (select coalesce(b.merged_into, b.customer_uid) as uid) h
where i.kind = 'points'
  and i.state in ('importing', 'imported')
  and jsonb_typeof(i.options -> 'move') = 'object'
  and r.point_value > 0
group by h.uid, r.import_uid;

-- Orders that a file of another app has already are evaluated again as it comes and goes.
alter table order_review drop constraint order_review_cause_check;
alter table order_review add constraint order_review_cause_check check (cause in ('tier', 'tags', 'move'));
