import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { Pointkeeper } from "../../packages/client/src/pointkeeper.ts";
import { type FaultProxy, startFaultProxy } from "../support/fault-proxy.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";
import { waitUntilSettled } from "../support/wait-until-settled.ts";

let service: TestService;
let proxy: FaultProxy;
let pointkeeper: Pointkeeper;
let customers = 0;
let customer: string;

beforeAll(async () => {
  service = await startTestService({ worker: false });
  proxy = await startFaultProxy(service.url);
  pointkeeper = new Pointkeeper({ baseUrl: proxy.url, ...service.credential });
});

beforeEach(async () => {
  customer = `${++customers}`;
  await pointkeeper.customers.put(customer, {});
  proxy.keys.length = 0;
});

afterAll(async () => {
  await proxy.close();
  await service.stop();
});

const give = (point_value = 100) => pointkeeper.pointAllotments.create({ customer_id: customer, point_value });
const balance = async () => (await pointkeeper.pointBalances.get(customer)).point_balance;
const fault = (promise: Promise<unknown>) =>
  promise.then(
    () => "no error",
    (error: unknown) => error,
  );

test("an answer that is lost after the commit is asked for again under the same key: points are given once", async () => {
  proxy.faults.push("lose the answer", "lose the answer");
  expect((await give()).point_value).toBe(100);
  expect(proxy.keys).toHaveLength(3);
  expect(new Set(proxy.keys).size).toBe(1);
  expect(proxy.keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(await balance()).toBe(100);
});

test("two calls have two keys, and a caller's own key makes them one", async () => {
  await give(1);
  await give(1);
  for (let n = 0; n < 2; n++) {
    await pointkeeper.pointAllotments.create(
      { customer_id: customer, point_value: 5 },
      { idempotencyKey: `own-${customer}` },
    );
  }
  expect(new Set(proxy.keys).size).toBe(3);
  expect(await balance()).toBe(7);
});

test("a 503 is sent again after its Retry-After", async () => {
  proxy.faults.push({ status: 503, retryAfter: "1" });
  const startedMs = performance.now();
  await give();
  expect(performance.now() - startedMs).toBeGreaterThan(950);
  expect(proxy.keys).toHaveLength(2);
  expect(await balance()).toBe(100);
});

test("a Retry-After may be a date", async () => {
  const startedMs = performance.now();
  const date = new Date(Date.now() + 2_000); // in whole seconds: from one to two seconds ahead
  proxy.faults.push({ status: 429, retryAfter: date.toUTCString() });
  await give();
  expect(performance.now() - startedMs).toBeGreaterThan(950);
  expect(proxy.keys).toHaveLength(2);
});

test("clients that were refused together do not return together", async () => {
  const startedMs = performance.now();
  const returned: number[] = [];
  const clients = Array.from({ length: 20 }, () => {
    let count = 0;
    const send: typeof fetch = async () => {
      if (count++ === 0) return new Response("{}", { status: 503, headers: { "retry-after": "8" } });
      returned.push(performance.now() - startedMs);
      return Response.json({ status: "ok" });
    };
    return new Pointkeeper({ baseUrl: "http://127.0.0.1:9", secret: "s", fetch: send }).health();
  });
  await Promise.all(clients);
  expect(Math.min(...returned)).toBeGreaterThan(8_100);
  expect(Math.max(...returned) - Math.min(...returned)).toBeGreaterThan(200); // of up to two seconds, also where the process was held up
});

test("no wait is longer than maxRetryWaitMs: with 0 a call fails at once", async () => {
  const send: typeof fetch = async () => new Response("{}", { status: 503 });
  for (const fetch of [send, () => Promise.reject(new TypeError("no connection"))]) {
    const hasty = new Pointkeeper({ baseUrl: "http://127.0.0.1:9", secret: "s", fetch, maxRetryWaitMs: 0 });
    expect(await fault(hasty.health())).toMatchObject({ attempts: 1 });
  }
});

test("the random delay after Retry-After ends at maxRetryWaitMs", async () => {
  const askedMs: number[] = [];
  let steps = 0; // of 50 ms of this process: a pause of the machine is one
  const counting = setInterval(() => {
    steps += 1;
  }, 50);
  const send: typeof fetch = async () => {
    askedMs.push(performance.now());
    if (askedMs.length === 4) steps = 0;
    if (askedMs.length === 5) return Response.json({ status: "ok" });
    return new Response("{}", { status: 503, headers: { "retry-after": askedMs.length === 4 ? "1" : "0" } });
  };
  const busy = new Pointkeeper({ baseUrl: "http://127.0.0.1:9", secret: "s", fetch: send, maxRetryWaitMs: 1000 });
  await busy.health().finally(() => clearInterval(counting));
  expect((askedMs[4] ?? 0) - (askedMs[3] ?? 0)).toBeGreaterThan(990);
  expect(steps).toBeLessThan(30); // 1 second, and without the limit one or two more
});

test("an answer that breaks in the middle is asked for again under the same key: points are given once", async () => {
  proxy.faults.push("cut the answer", "cut the answer");
  expect((await give()).point_value).toBe(100);
  expect(proxy.keys).toHaveLength(3);
  expect(new Set(proxy.keys).size).toBe(1);
  expect(await balance()).toBe(100);
});

test("a Retry-After of 8 hours is an error at once", async () => {
  proxy.faults.push({ status: 429, retryAfter: "28800" });
  expect(await fault(give())).toMatchObject({ status: 429, retryAfterMs: 28_800_000, attempts: 1 });
  expect(proxy.keys).toHaveLength(1);
  expect(await balance()).toBe(0);
});

test("an answer of a proxy in place of the service is asked for again under the same key", async () => {
  const patient = new Pointkeeper({ baseUrl: proxy.url, ...service.credential, retries: 9 });
  for (const body of ["", "null", "<html></html>", "[]", "{}", '{"status":"ok"}'])
    proxy.faults.push({ status: 200, retryAfter: "0", body });
  await patient.pointAllotments.create({ customer_id: customer, point_value: 100 });
  expect(proxy.keys).toHaveLength(7);
  expect(new Set(proxy.keys).size).toBe(1);
  expect(await balance()).toBe(100);
});

test("a Retry-After that is over is followed after the usual delay, not at once", async () => {
  for (const retryAfter of ["0", "Wed, 21 Oct 2015 07:28:00 GMT"]) proxy.faults.push({ status: 503, retryAfter });
  const startedMs = performance.now();
  await give();
  expect(performance.now() - startedMs).toBeGreaterThan(125 + 250);
});

test("a long poll may take longer than the timeout, which begins after it; no timeout is one of Infinity", async () => {
  const hasty = new Pointkeeper({ baseUrl: service.url, ...service.credential, timeoutMs: 500, retries: 0 });
  await waitUntilSettled(service.deps); // earlier allotments do not follow "now"
  const { meta } = await pointkeeper.events.page({ cursor: "now" });
  const next = hasty.events.follow({ cursor: meta.next_cursor }).next();
  await delay(800);
  await give(7);
  expect((await next).value.payload.point_value).toBe(7);
  const patient = new Pointkeeper({ baseUrl: service.url, ...service.credential, timeoutMs: Infinity, retries: 0 });
  expect(await patient.health()).toMatchObject({ status: "ok" });
});

test("events are waited for no longer than the service waits", async () => {
  const waits: (string | null)[] = [];
  const send: typeof fetch = (url, init) => {
    waits.push(new Headers(init?.headers).get("prefer"));
    return fetch(url, init);
  };
  const { intake } = new Pointkeeper({ baseUrl: service.url, ...service.credential, fetch: send });
  expect(await fault(intake.send({ type: "None" }, { wait: 600 }))).toMatchObject({ status: 422 });
  expect(waits).toEqual(["wait=20"]);
});

test("no answer in time is a timeout, and the next attempt succeeds", async () => {
  const hasty = new Pointkeeper({ baseUrl: proxy.url, ...service.credential, timeoutMs: 1500 });
  proxy.faults.push("never answer");
  await hasty.pointAllotments.create({ customer_id: customer, point_value: 3 }, { timeoutMs: 1500 });
  expect(await balance()).toBe(3);
  proxy.faults.push("never answer");
  const call = hasty.pointBalances.get(customer, {}, { retries: 0, timeoutMs: 200 });
  expect(await fault(call)).toMatchObject({ status: 0, code: "timeout", attempts: 1 });
});

test("attempts end: a service that stays away is an error with their number", async () => {
  for (let n = 0; n < 3; n++) proxy.faults.push({ status: 502, retryAfter: "0" });
  const call = pointkeeper.tiers.list({ retries: 2 });
  expect(await fault(call)).toMatchObject({ status: 502, attempts: 3 });
  const nobody = new Pointkeeper({ baseUrl: "http://127.0.0.1:9", secret: "s", retries: 0 });
  expect(await fault(nobody.health())).toMatchObject({ status: 0, code: "network_error" });
});

test("an aborted signal ends a call and its waits with its reason", async () => {
  const ending = new AbortController();
  proxy.faults.push({ status: 503, retryAfter: "20" });
  const call = fault(pointkeeper.tiers.list({ signal: ending.signal }));
  await expect.poll(() => proxy.keys.length).toBe(1);
  ending.abort(new Error("the page was left"));
  expect(await call).toMatchObject({ message: "the page was left" });
});

test("a signal that is aborted as an answer arrives ends the call before its wait", async () => {
  const ending = new AbortController();
  const send: typeof fetch = async () => {
    const response = new Response("{}", { status: 503, headers: { "retry-after": "25" } });
    const text = () => {
      ending.abort(new Error("the page was left"));
      return Promise.resolve("{}");
    };
    return Object.assign(response, { text });
  };
  const leaving = new Pointkeeper({ baseUrl: "http://127.0.0.1:9", secret: "s", fetch: send });
  const call = fault(leaving.health({ signal: ending.signal }));
  const ended = await Promise.race([call, delay(3_000, "still waiting")]);
  expect(ended).toMatchObject({ message: "the page was left" });
});

test("a refusal is an error with its fields, and is not sent again", async () => {
  const refused = await fault(give(-1));
  expect(refused).toMatchObject({
    status: 400,
    title: "Point allotment would result in a negative balance",
    attempts: 1,
  });
  const request = pointkeeper.pointAllotments.create({ customer_id: customer, point_value: 0 });
  expect(await fault(request)).toMatchObject({ status: 422, errors: [{ source: { pointer: "/point_value" } }] });
  expect(proxy.keys).toHaveLength(2);
});

test("a subscription whose deletion lost its answer is deleted", async () => {
  await pointkeeper.webhooks.create({ topic: "point_balance/update", callback_url: "http://127.0.0.1:9/" });
  proxy.faults.push("lose the answer");
  await pointkeeper.webhooks.delete("point_balance/update");
  expect(await pointkeeper.webhooks.list()).toEqual([]);
  expect(await fault(pointkeeper.webhooks.delete("point_balance/update"))).toMatchObject({ status: 404 });
});

test("ids are exact: a bigint above 2^53 names its customer, an inexact number is refused, and no id leaves its path", async () => {
  const large = 900719925474099312345n;
  expect((await pointkeeper.customers.put(large, { name: "Large" })).id).toBe("900719925474099312345");
  const given = await pointkeeper.pointAllotments.create({ customer_id: large, point_value: 9_007_199_254_740_991 });
  const expected = { id: "900719925474099312345", point_balance: 9_007_199_254_740_991 };
  expect(given).toMatchObject({ point_balance: expected });
  for (const id of [2 ** 60, "", "..", "."]) await expect(pointkeeper.customers.get(id)).rejects.toThrow(TypeError);
  expect((await pointkeeper.customers.put("a/../b?c#d", {})).id).toBe("a/../b?c#d");
});

test("a feed is followed from one place, though a poll is sent again, and with pauses where it answers at once", async () => {
  const asked: string[] = [];
  const answer = { data: [], meta: { has_more: false, next_cursor: "place" } };
  const ended = new AbortController();
  const busy = new Pointkeeper({
    ...{ baseUrl: "http://127.0.0.1:9", secret: "s" },
    fetch: async (url) => {
      asked.push(new URL(String(url)).search);
      await delay(1);
      return Response.json(answer);
    },
  });
  const next = busy.events.follow({ cursor: "now" }, { signal: ended.signal }).next();
  await waitUntil(async () => asked.length >= 2);
  await delay(50);
  ended.abort(new Error("enough"));
  await expect(next).rejects.toThrow("enough");
  expect(asked.slice(0, 2)).toEqual(["?cursor=now&wait=0", "?cursor=place&wait=10"]);
  expect(asked.length).toBeLessThan(5);
});
