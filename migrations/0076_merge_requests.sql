-- A merge of two customers that moves more points than one person may move alone waits for a second person too.

alter table adjustment_request
  add column removed_uid uuid,                          -- of "merge": who becomes part of the customer
  add column removed_id text,                           -- of "merge": the storefront id of that one
  drop constraint adjustment_request_kind_check,
  drop constraint adjustment_request_customer_check,
  add constraint adjustment_request_kind_check
    check (kind in ('add', 'set', 'undo', 'import', 'import_undo', 'program', 'merge')),
  add constraint adjustment_request_customer_check
    check ((kind in ('add', 'set', 'undo', 'merge')) = (customer_uid is not null and bucket is not null and point_value is not null)),
  add constraint adjustment_request_merge_check
    check ((kind = 'merge') = (removed_uid is not null and removed_id is not null));
