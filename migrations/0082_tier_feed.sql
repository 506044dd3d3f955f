-- Changes of tiers have a place in the change feed, among the allotments (docs/decisions/0069-tiers-in-the-change-feed.md).

alter table tier_change add column fed_at timestamptz;   -- the place in the feed, with uid; null: from before this migration

create function feed_tier_change() returns trigger language plpgsql as $$
begin
  perform pg_current_xact_id();   -- taken before the watermark is read, like the locks of a batch of allotments
  select greatest(new.changed_at, floor_at + interval '1 microsecond') into new.fed_at
  from ledger_mark;
  return new;
end $$;
create trigger tier_change_fed before insert on tier_change
for each row execute function feed_tier_change();
