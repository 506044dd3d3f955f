-- Forgiven points of an order are set off against what it awards later (program.md 4). The constraint is checked for new rows here
-- and for old ones by the next migration, which does not keep writers out.
alter table order_posting
  add column taken_elsewhere bigint,                  -- counts as taken: owed, or written off with a deleted customer; null: an older row
  drop constraint order_posting_outcome_check,
  add constraint order_posting_outcome_check
    check (outcome in ('posted', 'capped', 'owed', 'refused', 'duplicate', 'settled', 'set_off')) not valid;
