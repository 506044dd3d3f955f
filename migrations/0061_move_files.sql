-- Files of other apps as uploads; what happened there and what was spent there, by file; dates that points and tiers bring.
alter table import drop constraint import_kind_check;
alter table import add constraint import_kind_check check (kind in ('points', 'tiers', 'customers', 'spend', 'history', 'move'));
alter table import
  add column survey jsonb;                            -- of a file of another app: what it comes to, by its check

alter table import_row
  add column dated_at timestamptz,                    -- of points: earned; of tiers: kept until; of spend and history: when it was
  add column spend_minor bigint check (spend_minor >= 0),
  add column entry text check (entry in ('earned', 'used', 'expired', 'adjusted'));   -- of history
