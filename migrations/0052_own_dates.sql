-- Points that bring their dates: what a posting says of its own expiry and of when the points were earned. Both are facts that the chain
-- covers (decision 38); the lot that the allotment opens keeps them too, since it may get another date when a hold frees it.
alter table allotment
  add column expires_at timestamptz,                  -- a date of its own; null: computed
  add column earned_at timestamptz;                   -- when it was earned, before it was allotted; null: then
