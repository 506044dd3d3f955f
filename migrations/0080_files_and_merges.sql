-- A file counts once for each thing that it is used for: one with history and orders is used for both. A file of another app's members
-- brings points and what was spent, so it shares its content with no file of either.

drop index import_content;
create unique index import_content on import (kind, content_sha256)   -- customers that are in may come again: they are the same again
where state in ('uploaded', 'checking', 'checked', 'importing', 'undoing')
  or (state = 'imported' and kind <> 'customers');
create unique index import_content_points on import (content_sha256)
where kind in ('points', 'move') and state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing');
create unique index import_content_spend on import (content_sha256)
where kind in ('spend', 'move') and state in ('uploaded', 'checking', 'checked', 'importing', 'imported', 'undoing');

-- The page of a customer who is to become part of another one shows that it waits.

create index adjustment_request_removed on adjustment_request (removed_uid) where state = 'waiting' and removed_uid is not null;

-- Customers who are deleted together are noted for the growth figures by the statement that deletes them too (0079).

create or replace trigger customer_growth_deleted after update of deleted_at on customer
for each row when (new.deleted_at is distinct from old.deleted_at
  and coalesce(current_setting('pointkeeper.balances_closed', true), '') <> 'yes')
execute function note_growth_change();

create or replace function delete_customers(buckets smallint[], uids uuid[], at timestamptz) returns void language plpgsql as $$
begin
  perform set_config('pointkeeper.balances_closed', 'yes', true);
  with gone as (
    update customer c
    set email = null,
      name = null,
      birthday = null,
      tags = null,
      deleted_at = at
    from unnest(buckets, uids) as k (bucket, customer_uid)
    where c.bucket = k.bucket
      and c.customer_uid = k.customer_uid
      and c.deleted_at is null
    returning c.bucket, c.customer_uid),
  noted as (
    insert into growth_change (bucket, customer_uid)
    select bucket, customer_uid
    from gone)
  update balance b
  set is_deleted = true
  from gone g
  where b.bucket = g.bucket
    and b.customer_uid = g.customer_uid;
  perform set_config('pointkeeper.balances_closed', '', true);
end $$;
