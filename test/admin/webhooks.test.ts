import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Arrival, startReceiver, type TestReceiver } from "../support/receiver.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";
import { waitUntil } from "../support/wait-until.ts";
import { UNACKNOWLEDGED } from "../support/webhook-flow.ts";

const CASCADE = "point_allotment/cascade";
const SUBSCRIPTIONS = "/webhooks/subscriptions";
const DELIVERIES = "/webhooks/deliveries";

let service: TestService;
let receiver: TestReceiver;
let manager: AdminClient;
let support: AdminClient;
let viewer: AdminClient;

beforeAll(async () => {
  [service, receiver] = await Promise.all([startTestService(), startReceiver()]);
  [manager, support, viewer] = [
    await signIn(service, "manager"),
    await signIn(service, "support"),
    await signIn(service, "viewer"),
  ];
  await service.client.put("/api/storefront/customers/c1", { name: "山田花子" });
});
afterAll(async () => {
  await service.stop();
  await receiver.close();
});

const award = () => service.client.post("/api/storefront/point_allotments", { customer_id: "c1", point_value: 7 });
const subscribe = (topic = CASCADE) => manager.post(SUBSCRIPTIONS, { topic, callback_url: receiver.url });
const rowOf = async (topic = CASCADE) =>
  (await viewer.get(SUBSCRIPTIONS)).body.data.find((row: { topic: string }) => row.topic === topic);
const pageOf = async (query: string) => (await viewer.get(`${DELIVERIES}?${query}`)).body;
const countOf = async (query: string) => (await viewer.get(`${DELIVERIES}/count?${query}`)).body.data.count;

/** Awards `count` times, whose deliveries have then failed for good. */
async function failDeliveries(count: number): Promise<string[]> {
  const { db } = service.deps;
  receiver.answer = () => (response) => response.writeHead(503).end("the kettle is cold");
  for (let i = 0; i < count; i++) await award();
  // Each was tried, or waits behind one that was: the end of its resends is brought forward.
  await waitUntil(async () => (await db.query("select from delivery where attempts > 0")).length > 0);
  await waitUntil(async () => {
    await db.execute("update delivery set state = 'failed', attempts = 21 where attempts > 0");
    service.deps.wake.deliveries();
    const left = await db.query<{ state: string }>(UNACKNOWLEDGED);
    return left.every(({ state }) => state === "failed");
  });
  receiver.answer = () => 200;
  return (await pageOf("state=failed")).data.map((row: { uid: string }) => row.uid);
}

/** The signature's time is the store's clock, which is far from the machine's: it is made again, not checked for its age. */
function signedBy(secret: string, { headers, body }: Arrival): boolean {
  const at = new Date(Number(headers["webhook-timestamp"]) * 1_000);
  const expected = new Webhook(secret).sign(String(headers["webhook-id"]), at, body);
  return String(headers["webhook-signature"]).split(" ").includes(expected);
}

describe("subscriptions", () => {
  test("every topic is listed; one is made with its secret shown once, and ended", async () => {
    const { data } = (await viewer.get(SUBSCRIPTIONS)).body;
    expect(data.map((row: { uid: null }) => row.uid)).toEqual([null, null, null]);
    const made = await subscribe();
    expect(made.body.data).toEqual({ topic: CASCADE, secret: expect.stringMatching(/^whsec_/) });
    expect((await subscribe()).body.data.secret).toBeNull();
    expect(await rowOf()).toMatchObject({ callback_url: receiver.url, failures_in_row: 0, is_dead: false });
    expect((await manager.delete(SUBSCRIPTIONS, { topic: CASCADE })).status).toBe(200);
    expect((await manager.delete(SUBSCRIPTIONS, { topic: CASCADE })).status).toBe(404);
    expect(await rowOf()).toMatchObject({ uid: null, callback_url: null });
  });

  test("what cannot be subscribed is refused, field by field", async () => {
    const bad = await manager.post(SUBSCRIPTIONS, { topic: CASCADE, callback_url: "ftp://shop.example.com" });
    expect(bad.status).toBe(422);
    expect(bad.body.errors[0].source).toEqual({ pointer: "/callback_url" });
    const unknown = await manager.post(SUBSCRIPTIONS, { topic: "orders/paid", callback_url: receiver.url });
    expect(unknown.status).toBe(422);
    expect(unknown.body.errors[0].source).toEqual({ pointer: "/topic" });
    for (const one of [support, viewer]) expect((await one.post(SUBSCRIPTIONS, { topic: CASCADE })).status).toBe(403);
  });

  test("a rotated secret signs beside the old one, and alone once it is confirmed", async () => {
    const { secret: old } = (await subscribe()).body.data;
    const { secret: next } = (await manager.post(`${SUBSCRIPTIONS}/rotate`, { topic: CASCADE })).body.data;
    expect(await rowOf()).toMatchObject({ is_rotating: true });
    await manager.post(`${SUBSCRIPTIONS}/test`, { topic: CASCADE });
    const [both] = receiver.arrivals.splice(0);
    expect(both && [signedBy(old, both), signedBy(next, both)]).toEqual([true, true]);
    await manager.post(`${SUBSCRIPTIONS}/confirm`, { topic: CASCADE });
    await manager.post(`${SUBSCRIPTIONS}/test`, { topic: CASCADE });
    const [alone] = receiver.arrivals.splice(0);
    expect(alone && [signedBy(old, alone), signedBy(next, alone)]).toEqual([false, true]);
  });
});

describe("a test", () => {
  test("is the topic's sample, marked twice, and its result is shown and kept nowhere", async () => {
    receiver.answer = () => (response) => response.writeHead(418).end("short and stout");
    const { body } = await manager.post(`${SUBSCRIPTIONS}/test`, { topic: CASCADE });
    expect(body.data).toMatchObject({ status: 418, failure: null, answer_head: "short and stout" });
    const [arrival] = receiver.arrivals.splice(0);
    expect(arrival?.headers).toMatchObject({ "pointkeeper-test": "true", "webhook-id": body.data.uid });
    expect(JSON.parse(arrival?.body ?? "")).toMatchObject({ test: true, type: "fulfillment" });
    expect(arrival?.body).toBe(body.data.payload);
    expect((await pageOf("")).data).toEqual([]);
    expect(await rowOf()).toMatchObject({ failures_in_row: 0 });
  });

  test("of a receiver that is away says why; of a topic without one is refused", async () => {
    const away = await startReceiver();
    await away.close();
    const topic = "point_balances/export";
    await manager.post(SUBSCRIPTIONS, { topic, callback_url: away.url });
    const { body } = await manager.post(`${SUBSCRIPTIONS}/test`, { topic });
    expect(body.data).toMatchObject({ status: null, failure: expect.stringContaining("ECONNREFUSED") });
    await manager.delete(SUBSCRIPTIONS, { topic });
    expect((await manager.post(`${SUBSCRIPTIONS}/test`, { topic })).status).toBe(404);
    expect((await support.post(`${SUBSCRIPTIONS}/test`, { topic })).status).toBe(403);
  });
});

describe("deliveries", () => {
  test("are listed by state, topic and time, and shown with each attempt", async () => {
    receiver.answer = () => 200;
    await award();
    await waitUntil(async () => (await pageOf("state=done")).data[0]?.state === "done");
    const failed = await failDeliveries(2);
    expect(failed).toHaveLength(2);
    expect((await pageOf("")).data.map((row: { state: string }) => row.state).sort()).toEqual([
      "done",
      "failed",
      "failed",
    ]);
    expect((await pageOf("state=waiting")).data).toEqual([]);
    expect((await pageOf("state=failed&topic=point_balance/update")).data).toEqual([]);
    expect((await pageOf(`state=failed&topic=${CASCADE}&since=2026-03-01&until=2026-03-01`)).data).toHaveLength(2);
    expect((await pageOf("state=failed&since=2026-03-02")).data).toEqual([]);
    const counts = ["", "state=done", "state=waiting", "state=failed", "state=failed&since=2026-03-02"].map(countOf);
    expect(await Promise.all(counts)).toEqual([3, 1, 0, 2, 0]);
    expect(await countOf("state=failed&until=2026-02-28")).toBe(0);
    const one = (await support.get(`${DELIVERIES}/${failed.at(-1)}`)).body.data;
    expect(one).toMatchObject({
      state: "failed",
      can_replay: true,
      customer: { id: "c1" },
      callback_url: receiver.url,
    });
    expect(JSON.parse(one.payload)).toMatchObject({ point_value: 7 });
    expect(one.attempt_list[0]).toMatchObject({ status: 503, answer_head: "the kettle is cold", kind: "first" });
    const seen = (await viewer.get(`${DELIVERIES}/${failed.at(-1)}`)).body.data;
    expect([seen.payload, seen.attempt_list[0].answer_head, seen.attempt_list[0].status]).toEqual([null, null, 503]);
    expect((await viewer.get(`${DELIVERIES}/019ca8e7-6a1b-7c43-9d5e-3f0a52b1c884`)).status).toBe(404);
    expect(await rowOf()).toMatchObject({ failed: 2, waiting: 0 });
  });

  test("bad filters are refused by name", async () => {
    for (const [query, parameter] of [
      ["since=yesterday", "since"],
      ["until=2026-02-30", "until"],
      ["state=lost", "state"],
      ["topic=orders/paid", "topic"],
      ["after=x", "after"],
    ]) {
      const { status, body } = await viewer.get(`${DELIVERIES}?${query}`);
      expect(status).toBe(422);
      expect(body.errors[0].source).toEqual({ parameter });
    }
    expect((await viewer.get(`${DELIVERIES}/count?since=yesterday`)).status).toBe(422);
  });

  test("one is sent again, with the same id; then it is no longer failed", async () => {
    const [uid] = (await pageOf("state=failed")).data.map((row: { uid: string }) => row.uid);
    expect((await support.post(`${DELIVERIES}/${uid}/replay`, {})).status).toBe(403);
    receiver.arrivals.splice(0);
    expect((await manager.post(`${DELIVERIES}/${uid}/replay`, {})).status).toBe(200);
    await waitUntil(() => receiver.arrivals.some(({ headers }) => headers["webhook-id"] === uid));
    await waitUntil(async () => (await support.get(`${DELIVERIES}/${uid}`)).body.data.state === "done");
    expect((await manager.post(`${DELIVERIES}/${uid}/replay`, {})).status).toBe(404);
  });

  test("all that failed since a time are counted, then sent again", async () => {
    expect(await failDeliveries(3)).toHaveLength(4); // one failed before
    const count = async (query: string) => (await viewer.get(`${DELIVERIES}/failed?${query}`)).body.data.count;
    expect(await count("")).toBe(4);
    expect([await count("since=2026-03-02"), await count("topic=point_balance/update")]).toEqual([0, 0]);
    const replay = (body: object) => manager.post(`${DELIVERIES}/replay`, body);
    expect((await replay({ since: "soon" })).body.errors[0].source).toEqual({ pointer: "/since" });
    expect((await replay({ since: "2026-03-02" })).body.data).toEqual({ replayed: 0, has_more: false });
    expect((await replay({ since: "2026-03-01", topic: CASCADE })).body.data).toEqual({ replayed: 4, has_more: false });
    await waitUntil(async () => (await pageOf("state=done")).data.length === 6);
    expect([await countOf("state=done"), await countOf("state=done&topic=point_balance/update")]).toEqual([6, 0]);
    expect(await count("")).toBe(0);
  });

  test("pages follow one another without a gap, in every state", async () => {
    await service.deps.db.execute(
      `insert into outbox_event (bucket, uid, topic, payload)
       select 3, gen_random_uuid(), $1, '{}'
       from generate_series(1, 130)`,
      [CASCADE],
    );
    await service.deps.db.execute(
      `insert into delivery (bucket, uid, subscription_uid, state, attempts, due_at)
       select 3, e.uid, s.uid, 'failed', 21, $1
       from outbox_event e, subscription s
       where e.bucket = 3 and s.topic = e.topic`,
      [service.clock.now()],
    );
    // Another node serves the receiver, and has written down two events of each batch.
    await service.deps.db.execute(
      "update subscription set lease_uid = gen_random_uuid(), lease_until = now() + interval '50 seconds' where topic = $1",
      [CASCADE],
    );
    await service.deps.db.execute(
      `with told as (
         insert into outbox_event (bucket, uid, topic, payload)
         select 5, gen_random_uuid(), $1, '{}'
         from generate_series(1, 140)
         returning uid),
       numbered as (
         select uid, row_number() over (order by uid) - 1 as n
         from told)
       insert into topic_batch (uid, topic, due_at, buckets, uids)
       select (array_agg(n.uid order by n.uid))[1], $1, $2, array_agg(5), array_agg(n.uid order by n.uid)
       from numbered n
       group by n.n / 14`,
      [CASCADE, service.clock.now().add({ hours: 1 })],
    );
    await service.deps.db.query("select number_batches($1)", [CASCADE]);
    await service.deps.db.execute(
      `update receiver_cursor
       set settled = array_fill(5::bigint, array[10])
       where subscription_uid = (select uid from subscription where topic = $1)`,
      [CASCADE],
    );
    for (const [state, size] of Object.entries({ all: 136 + 140, failed: 130, waiting: 120 })) {
      const uids = new Set<string>();
      let after = "";
      do {
        const page = await pageOf(`state=${state}${after}`);
        expect(page.data.length).toBeLessThanOrEqual(50);
        for (const { uid } of page.data) {
          expect(uids.has(uid)).toBe(false);
          uids.add(uid);
        }
        after = page.next === null ? "" : `&after=${page.next}`;
      } while (after !== "");
      expect([uids.size, await countOf(`state=${state}`)]).toEqual([size, size]);
    }
    expect(await rowOf()).toMatchObject({ waiting: 120 });
    await service.deps.db.execute("delete from topic_batch");
    await service.deps.db.execute("update receiver_cursor set settled = '{}'");
    await service.deps.db.execute("update subscription set lease_uid = null, lease_until = null");
  });

  test("what failed is counted no further than a person reads", async () => {
    await service.deps.db.execute(
      `with told as (
         insert into outbox_event (bucket, uid, topic, payload)
         select 4, gen_random_uuid(), $1, '{}'
         from generate_series(1, 10002)
         returning bucket, uid)
       insert into delivery (bucket, uid, subscription_uid, state, attempts, due_at)
       select t.bucket, t.uid, s.uid, 'failed', 21, $2
       from told t, subscription s
       where s.topic = $1`,
      [CASCADE, service.clock.now()],
    );
    for (const path of ["failed", "count", "count?state=failed"])
      expect((await viewer.get(`${DELIVERIES}/${path}`)).body.data).toEqual({ count: 10_001, counted_to: 10_000 });
  });

  test("a replay that fails on the way is written down with what it had sent", async () => {
    const { db } = service.deps;
    await service.owner.execute("create sequence replayed");
    await service.owner.execute(
      `create function refuse_second_slice() returns trigger language plpgsql as $$
       begin
         if nextval('replayed') > 2000 then
           raise exception 'the disk is full' using errcode = 'disk_full';
         end if;
         return new;
       end $$`,
    );
    await service.owner.execute(
      `create trigger refused before update on delivery
       for each row when (old.state = 'failed' and new.state = 'waiting') execute function refuse_second_slice()`,
    );
    expect((await manager.post(`${DELIVERIES}/replay`, {})).status).toBe(503);
    const [entry] = await db.query(
      "select after from audit_entry where action = 'deliveries.replayed' order by id desc limit 1",
    );
    expect(entry?.["after"]).toEqual({ since: null, replayed: 2_000 });
  });
});
