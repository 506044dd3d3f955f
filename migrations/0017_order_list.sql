-- The dashboard's list of orders: newest processed first, by state, by name. What it sorts and filters by is computed from
-- what the order keeps, by the database itself, so that no writer can leave it behind.

-- Facts keep instants as ISO 8601 in UTC: what they come to hangs on no setting. Years that a timestamptz cannot hold: null.
create function order_instant(stated text) returns timestamptz language plpgsql immutable parallel safe as $$
begin
  return case when stated ~ '^\d{4}-\d\d-\d\dT[0-9:.]+Z$' then stated::timestamptz end;
end $$;

alter table store_order
  add column processed_at timestamptz not null generated always as (
    coalesce(
      order_instant(facts #>> '{stated,processedAt}'),
      order_instant(facts #>> '{stated,createdAt}'),
      received_at)) stored,
  add column order_name text generated always as (facts #>> '{stated,orderName}') stored,
  add column state text not null generated always as (
    case
      when facts -> 'test' = 'true' then 'test'
      when facts ->> 'cancelledAt' is not null then 'cancelled'
      when customer_uid is null then 'waiting'
      when facts #>> '{stated,shopCurrency}' <> rules ->> 'currency' then 'other_currency'
      when awardable_points = 0 then 'nothing'
      when awarded_points < awardable_points then 'pending'
      else 'awarded'
    end) stored;
create index store_order_processed on store_order (processed_at, order_id);
create index store_order_state on store_order (state, processed_at, order_id);
create index store_order_name on store_order (lower(order_name) text_pattern_ops);

-- The tasks of an order, done or not.
create index staff_task_subject on staff_task (subject);
