-- What the intake took although it contradicts itself or was passed over, and how fast receipts are processed. issue 12.
-- Tables of their own: the receipts' table may hold millions, and is neither scanned nor locked by this.

create table receipt_warning (
  uid uuid primary key,                               -- of the receipt, in the order of arrival
  warnings jsonb not null);                           -- [{pointer, detail}], at most 20; no personal data

-- One row a worker and minute, so that no two processes write the same row. Minutes are the machine's.
create table intake_pace (
  minute timestamptz not null,
  worker uuid not null,
  processed integer not null,
  primary key (minute, worker));
