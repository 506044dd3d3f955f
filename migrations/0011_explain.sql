-- What was so at a moment, and what told of an order. program.md 4 and 6.

create table tier_standing (                          -- append only: floor and skipped check of a customer from an instant on
  bucket smallint not null,
  customer_uid uuid not null,
  changed_at timestamptz not null,
  minimum_tier_uid uuid,
  skip_next_check boolean not null,
  primary key (bucket, customer_uid, changed_at));

-- By a trigger, so that a check of a million customers keeps it too and writes no row where neither changed.
create function keep_tier_standing() returns trigger language plpgsql as $$
begin
  insert into tier_standing (bucket, customer_uid, changed_at, minimum_tier_uid, skip_next_check)
  values (new.bucket, new.customer_uid, new.changed_at, new.minimum_tier_uid, new.skip_next_check)
  on conflict (bucket, customer_uid, changed_at) do update
  set minimum_tier_uid = excluded.minimum_tier_uid,
    skip_next_check = excluded.skip_next_check;
  return null;
end $$;
create trigger customer_tier_placed after insert on customer_tier
for each row when (new.minimum_tier_uid is not null or new.skip_next_check)
execute function keep_tier_standing();
create trigger customer_tier_changed after update on customer_tier
for each row when ((old.minimum_tier_uid, old.skip_next_check) is distinct from (new.minimum_tier_uid, new.skip_next_check))
execute function keep_tier_standing();
insert into tier_standing (bucket, customer_uid, changed_at, minimum_tier_uid, skip_next_check)
select bucket, customer_uid, changed_at, minimum_tier_uid, skip_next_check
from customer_tier
where minimum_tier_uid is not null or skip_next_check;

-- Every receipt of an order, done or not, with its body or without.
create index receipt_of_order on receipt (subject, uid) where subject like 'order/%';
