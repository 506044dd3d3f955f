-- Readings of customers' names (furigana), by which a search finds them. Larger tables are left without the index, since writers would wait:
-- docs/operations.md has the statement that makes it while the service runs, and the search does without readings until then.
alter table customer add column name_reading text;

do $$
begin
  if (select count(*) from (select from customer limit 300001) as looked_at) <= 300000 then
    create index customer_readings on customer using gin (search_grams(search_text(search_fold(name_reading), null)))
    with (gin_pending_list_limit = 256)
    where deleted_at is null and name_reading is not null;
  end if;
end
$$;

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
