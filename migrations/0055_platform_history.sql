-- How far the history of the platform was read by "connect", beside how far its daily changes were (shopify-sync/back-fill).

alter table platform_mark
  drop constraint platform_mark_resource_check,
  add constraint platform_mark_resource_check
    check (resource in ('customers', 'orders', 'history of customers', 'history of orders'));
