-- Steps of the first-run checklist that a person marked as right without a change: "the default rate is what we want".

create table setup_step (
  step text primary key check (step in ('store', 'rate', 'tiers', 'expiry', 'platform', 'import', 'second_owner')),
  confirmed_at timestamptz not null,                  -- business clock
  confirmed_by text not null);                        -- the person's name as it was
