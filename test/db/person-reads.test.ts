import { afterAll, beforeAll, expect, test } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import { readRedactedSubjects } from "../../src/intake/read-redacted-subjects.ts";
import { redactCustomer } from "../../src/intake/redact-customer.ts";
import { refKeys } from "../../src/ledger/customer-ref.ts";
import { DATA_SECTIONS } from "../../src/privacy/data-sections.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A store keeps all its orders and receipts, so what is erased or read of one person must not cost more the more others there are.

const ROWS = 20_000;
const IMPORT = "00000000-0000-7000-8000-000000000001";
const TABLES = ["store_order", "receipt", "outbox_event", "attempt", "acknowledgement", "import_row"];
const SEED = [
  `insert into store_order (order_id, platform, bucket, customer_uid, facts, received_at)
select 'o' || n, 'test', n % 256, md5('c' || n)::uuid, '{"stated": {}}', now()
from generate_series(1, ${ROWS}) n`,
  `insert into receipt (key, uid, adapter, topic, delivery_key, subject, state, received_at, headers, body)
select sha256(convert_to('r' || n, 'UTF8')), md5('r' || n)::uuid, 'neutral', 'OrderPaid', 'r' || n, 'order/o' || n, 'done', now(), '{}', 'body'
from generate_series(1, ${ROWS}) n`,
  `insert into outbox_event (bucket, uid, topic, customer_uid, payload)
select n % 256, md5('e' || n)::uuid, 'point_balance/update', md5('c' || n)::uuid, '{}'
from generate_series(1, ${ROWS}) n`,
  `insert into attempt (bucket, delivery_uid, uid, kind, started_at, duration_ms, status, answer_head)
select n % 256, md5('e' || n)::uuid, md5('a' || n)::uuid, 'first', now(), 1, 500, 'busy'
from generate_series(1, ${ROWS}) n`,
  `insert into acknowledgement (topic, subscription_uid, event_at, buckets, uids, started_at, duration_ms, answer_heads)
select 'point_balance/update', md5('s')::uuid, now() - n * interval '1 second', array[n % 256], array[md5('e' || n)::uuid], array[now()], array[1],
  array['ok']
from generate_series(1, ${ROWS}) n`,
  `insert into import (uid, kind, state, file_name, created_at, created_by_uid, created_by, content_sha256)
values ('${IMPORT}', 'points', 'imported', 'points.csv', now(), '${IMPORT}', 'somebody', '')`,
  `insert into import_row (import_uid, bucket, n, line, customer_uid, point_value)
select '${IMPORT}', n % 256, n, n, md5('c' || n)::uuid, 1
from generate_series(1, ${ROWS}) n`,
];

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  for (const text of SEED) await service.owner.execute(text);
  await service.owner.execute(`analyze ${TABLES.join(", ")}`);
});
afterAll(() => service.stop());

/** The tables that the transaction has read as a whole, by row after row. */
async function readWholly(tx: Queryable): Promise<string[]> {
  const rows = await tx.query<{ name: string; rows: bigint }>(
    "select t.name, pg_stat_get_xact_tuples_returned(t.name::regclass) as rows from unnest($1::text[]) as t (name)",
    [TABLES],
  );
  return rows.filter(({ rows }) => rows >= ROWS).map(({ name }) => name);
}

async function makePerson() {
  const customer = await makeCustomer(service.deps, { email: "person@example.com" });
  await service.owner.execute(
    `insert into store_order (order_id, platform, bucket, customer_uid, email, facts, received_at)
values ('own', 'test', $1, $2, 'person@example.com', '{"stated": {}}', now()),
  ('guest', 'test', null, null, 'person@example.com', '{"stated": {}}', now())`,
    [customer.bucket, customer.customerUid],
  );
  await service.owner.execute(
    `insert into receipt (key, uid, adapter, topic, delivery_key, subject, state, received_at, headers, body)
select convert_to(subject, 'UTF8'), md5(subject)::uuid, 'neutral', 'x', subject, subject, 'done', now(), '{}', convert_to('person@example.com', 'UTF8')
from unnest(array['order/own', 'customer/' || $1::text, '']) subject`,
    [customer.storefrontId],
  );
  return customer;
}

test("the data of a person is read, and erased, without reading all orders, receipts and events", async () => {
  const { deps } = service;
  const customer = await makePerson();
  await deps.db.tx(async (tx) => {
    const lines = new Map<string, number>();
    for (const { name, text } of DATA_SECTIONS) lines.set(name, (await tx.query(text, refKeys([customer]))).length);
    expect([lines.get("orders"), lines.get("deliveries_received")]).toEqual([2, 2]);
    expect(await readWholly(tx)).toEqual([]);
  });
  await deps.db.tx(async (tx) => {
    await readRedactedSubjects(tx, { customerId: customer.storefrontId });
    expect(await readWholly(tx)).toEqual([]);
    await redactCustomer(tx, deps, { customerId: customer.storefrontId, appReference: "test" });
    expect(await readWholly(tx)).toEqual([]);
  });
  const left = `select order_id as id from store_order where email is not null
union all
select subject from receipt where body is not null and position('person' in encode(body, 'escape')) > 0`;
  expect(await deps.db.query(left)).toEqual([]);
});
