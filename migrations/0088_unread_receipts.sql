-- outside a transaction
-- Bodies that could not be read have no subject: an erasure searches their text, among these few rows and not among all receipts.
drop index concurrently if exists receipt_unread;
create index concurrently receipt_unread on receipt (uid) where subject = '' and body is not null;
