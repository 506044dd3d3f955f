-- The store's own look in the dashboard.

create table store_theme (
  only_one boolean primary key default true check (only_one),
  color text check (color ~ '^#[0-9a-f]{6}$'),        -- null: the dashboard's own
  logo bytea check (octet_length(logo) <= 65536));    -- a PNG without anything but its picture; null: the first letter of the name
insert into store_theme default values;
create trigger store_theme_audited after update on store_theme
for each row execute function audit_settings('store_theme', 'only_one', 'logo', '');
