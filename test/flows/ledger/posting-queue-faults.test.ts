import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteCustomer } from "../../../src/customers/delete-customer.ts";
import { openPool } from "../../../src/db/pool.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { createRequestQueue } from "../../../src/points/create-request-queue.ts";
import { listWaiting } from "../../support/behind.ts";
import { makeCustomer, mergeInto } from "../../support/customers.ts";
import { startCuttingProxy } from "../../support/cutting-proxy.ts";
import { createTestDatabase } from "../../support/database.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

const PATH = "/api/storefront/point_allotments";
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, log: () => {} });
});
afterAll(() => service.stop());

test("while the database is away a batch is refused as a whole, not one posting after the other", async () => {
  const away = openPool({ connection: { host: "127.0.0.1", port: 1, user: "nobody", database: "none" } });
  let transactions = 0;
  const db: typeof away = {
    ...away,
    txByKeys(work) {
      transactions++;
      return away.txByKeys(work);
    },
  };
  const queue = createRequestQueue({ ...service.deps, db });
  const change = { kind: "add", pointValue: 1n, shortfall: "refuse" } as const;
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () =>
      queue.post({
        storefrontId: "1",
        posting: plainPosting(service.deps.random.uid(), "api", "test", change),
        claim: null,
        render: () => ({ status: 200, headers: null, body: "{}" }),
      }),
    ),
  );
  await away.close();
  expect(answers.filter(({ status }) => status === "fulfilled")).toEqual([]);
  expect(transactions).toBe(5);
});

test("of two requests under one key at once, the one that was answered before gets its answer again", async () => {
  const { storefrontId: customer_id } = await makeCustomer(service.deps);
  const key = { "idempotency-key": "asked-before" };
  const first = await service.client.post(PATH, { customer_id, point_value: 5 }, key);
  expect(first.status).toBe(200);
  const points = [7, 5, 7, 5, 5, 9, 5];
  const answers = await Promise.all(
    points.map((point_value) => service.client.post(PATH, { customer_id, point_value }, key)),
  );
  expect(answers.map(({ status }) => status)).toEqual(points.map((each) => (each === 5 ? 200 : 422)));
  for (const { status, text } of answers) if (status === 200) expect(text).toBe(first.text);
});

test("a key is free after 24 hours, and its batch posts the requests beside it once", async () => {
  const { clock, client, deps } = service;
  const { storefrontId: customer_id } = await makeCustomer(deps);
  const post = (point_value: number, key: string) =>
    client.post(PATH, { customer_id, point_value }, { "idempotency-key": key });
  const stored = () =>
    deps.db.query("select key, status from idempotency where key like 'daily %' order by key, created_at");
  await post(3, "daily a");
  clock.advance({ hours: 24 });
  const answers = await Promise.all([post(4, "daily a"), post(5, "daily b"), post(4, "daily a")]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(answers[2]?.text).toBe(answers[0]?.text);
  expect((await client.get(`/api/storefront/point_balances/${customer_id}`)).body.data.point_balance).toBe(12);
  expect(await stored()).toEqual(["daily a", "daily b"].map((key) => ({ key, status: 200 })));
  expect((await post(4, "daily a")).text).toBe(answers[0]?.text);
});

test("an answer that is stored without the key's lock while a batch posts under the key: nothing is posted under it", async () => {
  const { clock, client, deps } = service;
  const [one, other] = [await makeCustomer(deps), await makeCustomer(deps)];
  const pointsOf = async ({ storefrontId }: { storefrontId: string }) =>
    (await client.get(`/api/storefront/point_balances/${storefrontId}`)).body.data.point_balance;
  const award = ({ storefrontId: customer_id }: { storefrontId: string }, key: string) =>
    client.post(PATH, { customer_id, point_value: 8 }, { "idempotency-key": key });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: taken, resolve: take } = Promise.withResolvers<void>();
  const holder = deps.db.tx(async (tx) => {
    await tx.execute(
      `insert into idempotency (credential_uid, scope, key, fingerprint, status, body, created_at)
       select uid, 'POST ${PATH}', 'meanwhile', 'another request', 422, '{}', $1
       from credential`,
      [clock.now()],
    );
    take();
    await released;
  });
  await taken;
  const answers = Promise.all([award(one, "meanwhile"), award(other, "beside it")]);
  await waitUntil(async () => (await listWaiting(deps.db)).length > 0);
  release();
  await holder;
  expect((await answers).map(({ status }) => status)).toEqual([422, 200]);
  expect(await pointsOf(one)).toBe(0);
  expect(await pointsOf(other)).toBe(8);
});

test.each([
  ["reservations", { ttl_seconds: 60 }],
  ["coupons", {}],
])("a connection lost at COMMIT, after it took effect: the same key tells what came of it (%s)", async (path, more) => {
  const database = await createTestDatabase();
  const proxy = await startCuttingProxy(database.connection);
  const db = openPool({ connection: proxy.connection });
  const node = await startTestService({ worker: false, log: () => {}, database: { ...database, db } });
  const { storefrontId: customer_id } = await makeCustomer(node.deps);
  await node.client.post(PATH, { customer_id, point_value: 100 });
  const ask = () =>
    node.client.post(`/api/storefront/${path}`, { customer_id, point_value: 30, ...more }, { "idempotency-key": path });
  proxy.cutCommits(1);
  expect((await ask()).status).toBe(503);
  const again = await ask();
  expect([again.status, again.headers.get("idempotent-replayed")]).toEqual([200, "true"]);
  expect((await node.client.get(`/api/storefront/point_balances/${customer_id}`)).body.data.point_balance).toBe(70);
  await node.stop();
  await db.close();
  await proxy.close();
  await database.drop();
});

test("after a connection lost at COMMIT the answer's balance is that of its own allotment, not of a later moment", async () => {
  const { deps, client, clock } = service;
  const customer = await makeCustomer(deps);
  const { bucket, customerUid, storefrontId: customer_id } = customer;
  const add = (pointValue: bigint) =>
    plainPosting(deps.random.uid(), "api", "test", { kind: "add", pointValue, shortfall: "refuse" });
  await client.post(PATH, { customer_id, point_value: 40 });
  await client.post("/api/storefront/reservations", { customer_id, point_value: 10, ttl_seconds: 600 });
  const proxy = await startCuttingProxy(service.connection);
  const db = openPool({ connection: proxy.connection });
  const queue = createRequestQueue({ ...deps, db });
  proxy.cutCommits(1);
  // before the connection is lost, others post and hold: the queue tries again behind them
  proxy.onCut(() =>
    deps.db.tx(async (tx) => {
      await postAllotments(tx, deps, [{ customer, posting: add(1_000n) }]);
      await tx.execute(
        `insert into reservation (bucket, customer_uid, uid, point_value, state, app_reference, held_at)
         values ($1, $2, $3, 7, 'held', 'test', $4)`,
        [bucket, customerUid, deps.random.uid(), clock.now().add({ seconds: 1 })],
      );
      await tx.execute("update balance set held_points = held_points + 7 where bucket = $1 and customer_uid = $2", [
        bucket,
        customerUid,
      ]);
    }),
  );
  const answer = await queue.post({
    storefrontId: customer_id,
    posting: add(25n),
    claim: null,
    render: (outcome) => ({
      status: 200,
      headers: null,
      body:
        outcome.kind === "posted" ? `${outcome.pointValue} ${outcome.balance.points} ${outcome.balance.version}` : "",
    }),
  });
  expect(proxy.cuts()).toBe(1);
  expect(answer.body).toBe("25 55 2");
  const path = `/api/storefront/point_balances/${customer_id}`;
  expect((await client.get(path)).body.data.point_balance).toBe(1_048);
  await db.close();
  await proxy.close();
});

test.each(["deleted", "merged into another"])(
  "after a connection lost at COMMIT a customer who was %s meanwhile: the posting is answered as it was",
  async (end) => {
    const { deps } = service;
    const { storefrontId } = await makeCustomer(deps);
    const { storefrontId: keptId } = await makeCustomer(deps);
    const proxy = await startCuttingProxy(service.connection);
    const db = openPool({ connection: proxy.connection });
    const queue = createRequestQueue({ ...deps, db });
    proxy.cutCommits(1);
    proxy.onCut(() =>
      end === "deleted"
        ? deps.db.tx((tx) => deleteCustomer(tx, deps, storefrontId, "test"))
        : mergeInto(deps, storefrontId, keptId),
    );
    const answer = await queue.post({
      storefrontId,
      posting: plainPosting(deps.random.uid(), "api", "test", { kind: "add", pointValue: 25n, shortfall: "refuse" }),
      claim: null,
      render: (outcome) => ({
        status: 200,
        headers: null,
        body: outcome.kind === "posted" ? `${outcome.pointValue} ${outcome.balance.points}` : outcome.code,
      }),
    });
    expect(proxy.cuts()).toBe(1);
    expect(answer.body).toBe("25 25");
    await db.close();
    await proxy.close();
  },
);
