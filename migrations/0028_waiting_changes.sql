-- Imports and changes of the program that wait for a second person, beside adjustments.

alter table adjustment_request                        -- what is above a person's allowance, or pays more: an adjustment, a file, a change of the program
  alter column bucket drop not null,
  alter column customer_uid drop not null,
  alter column point_value drop not null,
  drop constraint adjustment_request_kind_check,
  add column excess text check (excess in ('customer', 'day')),  -- which limit it passes; null: kept from before, of a customer
  add column earlier_of_day bigint not null default 0 check (earlier_of_day >= 0),  -- what whoever asked had moved the same way of all customers
  add column import_uid uuid,                         -- of "import" and "import_undo"
  add column file jsonb,                              -- of those: what was asked for, as it was shown
  add column document jsonb,                          -- of "program": what is laid over the version that it was made from
  add column base_version integer,
  add column apply_now boolean,
  add column valid_from timestamptz,                  -- of "program": from when it is to hold for orders; null: from its approval on
  add column raises jsonb,                            -- of "program": pointers of the members that pay more
  add column program_version integer,                 -- of "program": what the approval made
  add constraint adjustment_request_kind_check check (kind in ('add', 'set', 'undo', 'import', 'import_undo', 'program')),
  add constraint adjustment_request_customer_check
    check ((kind in ('add', 'set', 'undo')) = (customer_uid is not null and bucket is not null and point_value is not null)),
  add constraint adjustment_request_import_check
    check ((kind in ('import', 'import_undo')) = (import_uid is not null and file is not null)),
  add constraint adjustment_request_program_check
    check ((kind = 'program') = (document is not null and base_version is not null and apply_now is not null and raises is not null));
create index adjustment_request_import on adjustment_request (import_uid, requested_at) where import_uid is not null;
create unique index adjustment_request_program on adjustment_request (program_version) where program_version is not null;

alter table import
  add column waits_until timestamptz;                 -- a second person may approve its start or its undoing until then: it stays as it is
