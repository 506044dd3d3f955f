-- Sums by which a long history is told as an account: by what the customer did (docs/explain.md). They take the place of allotment_block,
-- which nodes of the release before still write; a later release drops it.
create table account_block (                          -- append only: sums of a customer's versions block * 1000 + 1 to (block + 1) * 1000,
  bucket smallint not null,                           -- which never change; made when a balance is explained
  customer_uid uuid not null,
  block bigint not null check (block >= 0),
  type text not null,
  kind text not null,                                 -- src/wire/account-kinds.ts
  count bigint not null,
  given numeric not null,
  taken numeric not null,                             -- at most 0
  primary key (bucket, customer_uid, block, type, kind));

-- Where the store is distributed (docs/citus.md) its rows lie beside the allotments that they sum.
do $$
begin
  if to_regclass('pg_dist_partition') is not null then
    if exists (select from pg_dist_partition where logicalrelid = 'allotment'::regclass) then
      perform create_distributed_table('account_block', 'bucket', colocate_with => 'allotment');
    end if;
  end if;
end
$$;
