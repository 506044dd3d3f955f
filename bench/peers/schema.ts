/** Tables of the two peers, in a separate schema. */
export const PEER_SCHEMA = `create schema peer;
create table peer.balance (
  customer_id text primary key,
  points bigint not null default 0 check (points >= 0));
create table peer.allotment (
  id uuid primary key default uuidv7(),
  customer_id text not null references peer.balance,
  point_value bigint not null,
  balance_after bigint not null,
  created_at timestamptz not null default now());
create index allotment_customer on peer.allotment (customer_id, created_at);

create table peer.account (
  id text primary key,
  balance bigint not null default 0,
  version bigint not null default 0);
create table peer.transfer (
  id uuid primary key default uuidv7(),
  from_account text not null references peer.account,
  to_account text not null references peer.account,
  amount bigint not null check (amount > 0),
  created_at timestamptz not null default now());
create table peer.entry (
  id uuid primary key default uuidv7(),
  account_id text not null references peer.account,
  transfer_id uuid not null references peer.transfer,
  amount bigint not null,
  previous_balance bigint not null,
  current_balance bigint not null,
  account_version bigint not null,
  created_at timestamptz not null default now());
create index entry_account on peer.entry (account_id, account_version);
create index entry_transfer on peer.entry (transfer_id);

create function peer.transfer_points(payer text, payee text, points bigint) returns bigint language plpgsql as $$
declare
  moved uuid;
  side record;
  after bigint;
  payee_balance bigint;
begin
  perform from peer.account where id in (payer, payee) order by id for update;
  insert into peer.transfer (from_account, to_account, amount) values (payer, payee, points) returning id into moved;
  for side in select * from (values (payer, -points), (payee, points)) s (account, amount) loop
    update peer.account set balance = balance + side.amount, version = version + 1 where id = side.account
    returning balance into after;
    insert into peer.entry (account_id, transfer_id, amount, previous_balance, current_balance, account_version)
    select side.account, moved, side.amount, after - side.amount, after, version from peer.account where id = side.account;
    payee_balance := after;
  end loop;
  return payee_balance;
end $$;`;

/** Creates the customers, with the bench's ids, and the account that issues points. */
export const PEER_CUSTOMERS = `with ids as (select (7000000000000 + n)::text as id from generate_series(0, $1::bigint - 1) n),
balances as (insert into peer.balance (customer_id) select id from ids)
insert into peer.account (id)
select id from ids
union all
select 'issuer'`;
