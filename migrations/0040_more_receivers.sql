-- A topic may have more receivers beside its subscription of the interface, which stays one a topic.
alter table subscription
  add column is_additional boolean not null default false,
  drop constraint subscription_pkey,
  drop constraint subscription_uid_key,
  add primary key (uid);
create unique index subscription_of_topic on subscription (topic) where not is_additional;
