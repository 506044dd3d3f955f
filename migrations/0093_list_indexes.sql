-- outside a transaction
-- Customers by class and points; audit entries by kind of actor or of subject; the newest attempts of an additional receiver.
drop index concurrently if exists figure_customer_points;
create index concurrently figure_customer_points on figure_customer (points_class desc, class_points desc, customer_uid desc) where points_class is not null;
drop index concurrently if exists figure_customer_class;
drop index concurrently if exists audit_entry_actor_kind;
create index concurrently audit_entry_actor_kind on audit_entry (actor_kind, at, id);
drop index concurrently if exists audit_entry_subject_kind;
create index concurrently audit_entry_subject_kind on audit_entry (subject_kind, at, id);
drop index concurrently if exists attempt_receiver;
create index concurrently attempt_receiver on attempt (subscription_uid, recorded_at);
drop index concurrently if exists acknowledgement_receiver;
create index concurrently acknowledgement_receiver on acknowledgement (subscription_uid, recorded_at);
