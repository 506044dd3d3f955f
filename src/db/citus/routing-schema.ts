import { DISTRIBUTED_TABLES } from "./distributed-tables.ts";

/**
 * What a distributed store has on its coordinator in addition to the tables of every store. `counted_source` records which allotment
 * counted a source: it is written in the transaction of the allotment, so that a source counts once in the store, whichever customer it
 * went to. The functions lock balances: Citus allows row locks only in a statement on one shard, so each shard has its own statement,
 * always in the same order.
 */
export const ROUTING: readonly string[] = [
  `create table counted_source (
  source_key text primary key,
  bucket smallint not null,
  customer_uid uuid not null,
  uid uuid not null,
  version bigint not null,
  point_value bigint not null)`,
  `insert into counted_source (source_key, bucket, customer_uid, uid, version, point_value)
select source_key, bucket, customer_uid, uid, version, point_value
from allotment
where source_key not like 'api/%'`,
  `create function lock_balances(buckets smallint[], uids uuid[]) returns setof balance language plpgsql as $$
declare
  shard record;
begin
  -- A number of the coordinator's before the watermark is read, by which the settled mark waits for this transaction.
  perform pg_current_xact_id();
  -- A write without rows: from here on every node prepares before any commits.
  insert into settled_debt (bucket, customer_uid, version, points)
  select 0, gen_random_uuid(), 1, 1
  from generate_series(1, 0);
  for shard in
    select array_agg(k.bucket) as buckets, array_agg(k.uid) as uids
    from unnest(buckets, uids) as k (bucket, uid)
    group by get_shard_id_for_distribution_column('balance', k.bucket)
    order by get_shard_id_for_distribution_column('balance', k.bucket)
  loop
    return query execute 'select b.*
from balance b
where b.bucket = any($1)
  and (b.bucket, b.customer_uid) in (select * from unnest($1, $2))
order by b.bucket, b.customer_uid
for no key update of b'
    using shard.buckets, shard.uids;
  end loop;
end $$`,
  `create function lock_balances_by_storefront_id(storefront_ids text[]) returns setof balance language plpgsql as $$
declare
  found_buckets smallint[];
  found_uids uuid[];
begin
  select array_agg(distinct_ref.bucket), array_agg(distinct_ref.customer_uid)
  into found_buckets, found_uids
  from (
    select distinct a.bucket, a.customer_uid
    from customer_alias a
    where a.storefront_id = any(storefront_ids)) distinct_ref;
  return query select * from lock_balances(found_buckets, found_uids);
end $$`,
];

/** Statements that remove the rows of distributed tables that are still on the coordinator, where they are no longer read. */
export const LEFTOVERS = `select format('select truncate_local_data_after_distributing_table(%L)', c.relname) as statement
from pg_dist_partition p
join pg_class c on c.oid = p.logicalrelid
where c.relname in (${DISTRIBUTED_TABLES.map((table) => `'${table}'`).join(", ")})
  and pg_relation_size(c.oid) > 0
order by c.relname`;
