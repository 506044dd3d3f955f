-- Bulk work analyzed and vacuumed these tables every few seconds, a twentieth of its time: what their columns hold changes little as they
-- grow, and updates of balances write into no index, so that each page is tidied by its next update.
alter table balance set (autovacuum_vacuum_scale_factor = 0.1, autovacuum_analyze_scale_factor = 0.5);
alter table lot set (autovacuum_analyze_scale_factor = 0.5);
alter table allotment set (autovacuum_analyze_scale_factor = 0.5);
alter table allotment_note set (autovacuum_analyze_scale_factor = 0.5);
alter table draw set (autovacuum_analyze_scale_factor = 0.5);
