-- The indexes of the store's list without the uid: allotments of one batch share their instant, and equal keys of an index are stored
-- once: 7 bytes an allotment each, not 40 to 80. The uid orders what shares an instant, by a sort of those few rows. Larger tables are
-- left as they are, since writers would wait: docs/operations.md has the statements that do it while the service runs.
do $$
begin
  if (select count(*) from (select from allotment limit 300001) as looked_at) <= 300000 then
    drop index allotment_time;
    create index allotment_time on allotment (allotted_at);
    drop index allotment_type_time;
    create index allotment_type_time on allotment (type, allotted_at);
  end if;
end
$$;
