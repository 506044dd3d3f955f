-- The limit above which a second person decides holds for what one person moves of a customer's points within 24 hours.

-- What whoever asked had moved the same way before, without approval, which counted with it.
alter table adjustment_request
  add column earlier_points bigint not null default 0 check (earlier_points >= 0);
