-- The balances of customers who are deleted together are closed by one statement, not by one of the trigger for each row.

create or replace trigger customer_deleted after update of deleted_at on customer
for each row when (old.deleted_at is null and new.deleted_at is not null
  and coalesce(current_setting('pointkeeper.balances_closed', true), '') <> 'yes')
execute function close_balance();

-- Closes the balances of those whom it deletes, and of nobody else, in the statement that deletes them; the trigger is for every other deletion.
-- The balances are locked by the caller.
create function delete_customers(buckets smallint[], uids uuid[], at timestamptz) returns void language plpgsql as $$
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
    returning c.bucket, c.customer_uid)
  update balance b
  set is_deleted = true
  from gone g
  where b.bucket = g.bucket
    and b.customer_uid = g.customer_uid;
  perform set_config('pointkeeper.balances_closed', '', true);
end $$;
