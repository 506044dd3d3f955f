-- Readings of customers' names (furigana), by which a search finds them.
alter table customer add column name_reading text;

-- As in 0080, and the reading is erased with the name.
create or replace function delete_customers(buckets smallint[], uids uuid[], at timestamptz) returns void language plpgsql as $$
begin
  perform set_config('pointkeeper.balances_closed', 'yes', true);
  with gone as (
    update customer c
    set email = null,
      name = null,
      name_reading = null,
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
