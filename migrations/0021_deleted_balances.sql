-- Whoever locks a balance learns in the same row whether its customer is still there.

alter table balance
  add column is_deleted boolean not null default false;   -- the customer was deleted or merged into another

update balance b
set is_deleted = true
from customer c
where c.bucket = b.bucket
  and c.customer_uid = b.customer_uid
  and c.deleted_at is not null;

-- By a trigger, so that no deletion can leave it out: not another feature's, nor that of a node of an earlier version that still runs.
-- Who deletes a customer has the balance locked.
create function close_balance() returns trigger language plpgsql as $$
begin
  update balance
  set is_deleted = true
  where bucket = new.bucket
    and customer_uid = new.customer_uid;
  return null;
end
$$;
create trigger customer_deleted after update of deleted_at on customer
for each row when (old.deleted_at is null and new.deleted_at is not null) execute function close_balance();
