-- Marks of any platform: their names begin with the platform's, but for Shopify's. A history may be read by a position of the platform's own
-- (platform-sync/mark-queries).

alter table platform_mark
  drop constraint platform_mark_resource_check,
  add column position text;                           -- null: reading goes on at changed_at
