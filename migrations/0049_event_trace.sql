-- Which trace an event belongs to, so that its deliveries are part of it (decision 35). A version that does not know it leaves it null.
alter table outbox_event add column traceparent text; -- W3C trace context of what made it; null: traces are off
