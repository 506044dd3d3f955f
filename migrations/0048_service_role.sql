-- What the service's role needs beside its privileges on tables (src/db/roles/service-grants.ts, docs/decisions/0033): how notes are
-- erased, and how the program is locked. The privileges themselves are given after the migrations, to the role that there is.

-- The only way in which the service takes anything from the ledger: what people wrote beside the allotments of customers who are deleted
-- already. It runs as the owner of the tables and leaves its trace in the audit log. Returns how many notes were erased.
create function erase_allotment_notes(buckets smallint[], uids uuid[]) returns bigint language plpgsql security definer as $$
declare
  erased_buckets smallint[];
  erased_uids uuid[];
  deleted_at timestamptz;
  erased bigint;
begin
  select array_agg(c.bucket order by c.customer_uid), array_agg(c.customer_uid order by c.customer_uid), max(c.deleted_at)
  into erased_buckets, erased_uids, deleted_at
  from unnest(buckets, uids) as k (bucket, customer_uid)
  join customer c on c.bucket = k.bucket
    and c.customer_uid = k.customer_uid
  where c.deleted_at is not null;
  if erased_uids is null then
    return 0;
  end if;
  delete from allotment_note n
  using unnest(erased_buckets, erased_uids) as k (bucket, customer_uid)
  where n.bucket = k.bucket
    and n.customer_uid = k.customer_uid;
  get diagnostics erased = row_count;
  if erased > 0 then
    perform write_audit_entry('allotment_notes.erased', 'customer', erased_uids[1]::text, null,
      jsonb_build_object('customers', to_jsonb(erased_uids), 'notes', erased), deleted_at);
  end if;
  return erased;
end $$;
revoke execute on function erase_allotment_notes(smallint[], uuid[]) from public;

-- What changes a program, and what reads the one that is valid, exclude each other by locks of its table. Taking them needs the privilege to
-- change rows, which the service has not: versions of the program are appended.
create function lock_program_versions(for_writing boolean) returns void language plpgsql security definer as $$
begin
  if for_writing then
    lock table program_version in exclusive mode;
  else
    lock table program_version in row share mode;
  end if;
end $$;
revoke execute on function lock_program_versions(boolean) from public;

-- A function with its owner's rights does not follow the path of its caller, and temporary tables come last.
do $$
declare
  path text := format('pg_catalog, %I, pg_temp', current_schema());
begin
  execute 'alter function erase_allotment_notes(smallint[], uuid[]) set search_path = ' || path;
  execute 'alter function lock_program_versions(boolean) set search_path = ' || path;
end $$;
