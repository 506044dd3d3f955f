import { afterAll, beforeAll, expect, test } from "vitest";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { basic } from "../../support/client.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";
import { waitUntilSettled } from "../../support/wait-until-settled.ts";

const PATH = "/api/storefront/events";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false });
});
afterAll(() => service.stop());

function posting(points: bigint) {
  const { deps } = service;
  return plainPosting(deps.random.uid(), "api", "test", { kind: "add", pointValue: points, shortfall: "refuse" });
}

async function writeSome(points: bigint) {
  const customer = await makeCustomer(service.deps);
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting: posting(points) }]));
  return customer;
}

test("a transaction that commits late is not skipped, and every event comes once, in order", async () => {
  const { deps, client } = service;
  const late = await makeCustomer(deps);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  let write = () => {};
  const written = new Promise<void>((resolve) => {
    write = resolve;
  });
  const open = deps.db.tx(async (tx) => {
    await postAllotments(tx, deps, [{ customer: late, posting: posting(1n) }]);
    write();
    await released;
  });
  await written;
  service.clock.advance({ seconds: 1 });
  await Promise.all([2n, 3n, 4n].map(writeSome));
  const before = (await client.get(`${PATH}?limit=2`)).body;
  expect(before.data).toEqual([]);
  release();
  await open;
  const seen: number[] = [];
  const times: string[] = [];
  let cursor = before.meta.next_cursor;
  await waitUntil(async () => {
    const { body } = await client.get(`${PATH}?limit=2&cursor=${cursor}`);
    for (const { payload } of body.data) {
      seen.push(payload.point_value);
      times.push(payload.allotted_at);
    }
    cursor = body.meta.next_cursor;
    return seen.length >= 4;
  });
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(seen[0]).toBe(1);
  expect(times).toEqual(times.toSorted());
  const again = (await client.get(`${PATH}?cursor=${cursor}`)).body;
  expect(again.data).toEqual([]);
});

test("a cursor that is none is refused by its name", async () => {
  const answer = await service.client.get(`${PATH}?cursor=nonsense`);
  expect(answer.status).toBe(422);
  expect(answer.body.errors[0]).toMatchObject({
    source: { parameter: "cursor" },
    detail: expect.stringMatching(/^expected start, now, or a next_cursor of this list/),
  });
});

const now = async () => (await service.client.get(`${PATH}?cursor=now`)).body.meta.next_cursor;

test("with wait an answer comes with the next event, or empty when the time is over", async () => {
  const cursor = await now();
  const empty = (await service.client.get(`${PATH}?wait=1&cursor=${cursor}`)).body;
  expect([empty.data, empty.meta.next_cursor]).toEqual([[], cursor]);
  await waitUntil(async () => {
    const asked = service.client.get(`${PATH}?wait=20&cursor=${await now()}`);
    service.clock.advance({ seconds: 1 });
    await writeSome(7n);
    const { data, meta } = (await asked).body;
    await waitUntilSettled(service.deps);
    if (data.length === 0) return false; // a transaction of another database of the server was longer: once more
    expect(data.map((event: Record<string, unknown>) => event["balance_after"])).toEqual([7]);
    expect(data[0].payload.point_value).toBe(7);
    expect(meta.next_cursor).toBe(data[0].cursor);
    return true;
  });
  for (const wait of ["31", "-1", "1.5", "soon"])
    expect((await service.client.get(`${PATH}?wait=${wait}`)).status, wait).toBe(422);
});

/** Reads a stream until so many events have come, and ends it. */
async function readStream(headers: Record<string, string>, query: string, count: number) {
  const ended = new AbortController();
  const response = await fetch(`${service.url}${PATH}${query}`, {
    headers: { authorization: basic(service.credential), accept: "text/event-stream", ...headers },
    signal: ended.signal,
  });
  let text = "";
  const events = () => text.split("\n\n").filter((part) => part.startsWith("id: "));
  if (response.body !== null && response.status === 200)
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (events().length >= count) break;
    }
  ended.abort();
  const parsed = events().map((part) => {
    const [id = "", event, data = ""] = part.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
    return { id, event, data: JSON.parse(data) };
  });
  return { response, events: parsed };
}

test("a stream tells events as they come and resumes after the last one that was seen", async () => {
  const cursor = await now();
  service.clock.advance({ seconds: 1 });
  const writing = (async () => {
    for (const points of [11n, 12n, 13n]) await writeSome(points);
  })();
  const { response, events } = await readStream({ "accept-encoding": "gzip" }, `?cursor=${cursor}`, 3);
  await writing;
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  expect(response.headers.get("content-encoding")).toBeNull();
  expect(events.map(({ data }) => data.payload.point_value)).toEqual([11, 12, 13]);
  expect(events.map(({ event }) => event)).toEqual(Array(3).fill("point_allotment/cascade"));
  const resumed = await readStream({ "last-event-id": events[0]?.id ?? "" }, "?cursor=start", 2);
  expect(resumed.events).toEqual(events.slice(1));
  expect((await readStream({ "last-event-id": "nonsense" }, "", 1)).response.status).toBe(422);
});

test("so many streams of a credential, and no more; a place is free again when its client has gone", async () => {
  const cursor = await now();
  const open = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const ended = new AbortController();
      const headers = { authorization: basic(service.credential), accept: "text/event-stream" };
      const response = await fetch(`${service.url}${PATH}?cursor=${cursor}`, { headers, signal: ended.signal });
      return { ended, response }; // a response that nothing refers to is cancelled with its garbage
    }),
  );
  const refused = await readStream({}, `?cursor=${cursor}`, 0);
  expect([refused.response.status, Number(refused.response.headers.get("retry-after")) > 0]).toEqual([429, true]);
  const asked = performance.now();
  expect((await service.client.get(`${PATH}?wait=20&cursor=${cursor}`)).body.data).toEqual([]);
  expect(performance.now() - asked).toBeLessThan(10_000); // answered at once, as without wait
  for (const { response } of open) expect(response.status).toBe(200);
  for (const { ended } of open) ended.abort();
  await waitUntil(async () => {
    const ended = new AbortController();
    const headers = { authorization: basic(service.credential), accept: "text/event-stream" };
    const { status } = await fetch(`${service.url}${PATH}?cursor=${cursor}`, { headers, signal: ended.signal });
    ended.abort();
    return status === 200;
  });
});

test("a service that stops ends its streams and answers who waits", async () => {
  const other = await startTestService({ worker: false });
  const headers = { authorization: basic(other.credential), accept: "text/event-stream" };
  const stream = await fetch(`${other.url}${PATH}?cursor=now`, { headers });
  const asked = other.client.get(`${PATH}?cursor=now&wait=30`);
  await other.client.get(PATH); // the one before has come too
  const stopped = other.stop();
  expect((await asked).status).toBe(200);
  expect(await stream.text()).toMatch(/^retry: 1000\nid: \S+\n\n/);
  await stopped;
});
