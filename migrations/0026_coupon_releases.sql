-- A code that left a storefront's cart: it is removed at the platform, and its points come back then.
alter table coupon add column released_at timestamptz;  -- business clock; null again once its removal has begun
create index coupon_released on coupon (released_at, uid) where released_at is not null;
