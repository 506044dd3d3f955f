-- Each old row meets it: it only adds an outcome. Reads and writes go on meanwhile.
alter table order_posting validate constraint order_posting_outcome_check;
