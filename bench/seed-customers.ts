import type { Db } from "../src/db/pool.ts";

const SEED = `with made as (
  select n, uid, get_byte(uuid_send(uid), 15) as bucket
  from (select n, uuidv7() as uid from generate_series(0, $1::bigint - 1) n) numbered),
customers as (
  insert into customer (bucket, customer_uid, storefront_id, email, name, created_at)
  select bucket, uid, (7000000000000 + n)::text, 'customer-' || n || '@example.com', 'Customer ' || n, $2
  from made),
aliases as (
  insert into customer_alias (storefront_id, bucket, customer_uid)
  select (7000000000000 + n)::text, bucket, uid
  from made)
insert into balance (bucket, customer_uid, expiry_from_on)
select bucket, uid, ($2::timestamptz at time zone 'UTC')::date
from made`;

/** Creates customers in bulk, without points, like the verb that creates one, but in one statement. Their ids are those of `storefrontIdOf`. */
export async function seedCustomers(db: Db, count: number, createdAt = Temporal.Now.instant()): Promise<void> {
  await db.execute(SEED, [count, createdAt]);
  await db.execute("vacuum analyze customer, customer_alias, balance");
}
