import { afterAll, beforeAll, expect, test } from "vitest";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { updateTier } from "../../../src/tiers/update-tier.ts";
import { basic } from "../../support/client.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";
import { waitUntil } from "../../support/wait-until.ts";

const PATH = "/api/storefront/events";

const CAUSE = { cause: "api", actor: null } as const;
const rule = (name: string, requirement: number) => ({
  name,
  default: requirement === 0,
  currency_spent_requirement: requirement,
  point_value: 1,
  currency_value: 100,
});

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    worker: false,
    program: { tiers: { rules: [rule("Bronze", 0), rule("Silver", 50000), rule("Gold", 100000)] } },
  });
});
afterAll(() => service.stop());

async function place(storefrontId: string, tier: string) {
  const answer = await service.client.post(`/api/storefront/point_balances/${storefrontId}/tiers`, { tier });
  expect(answer.status, answer.text).toBe(200);
}

async function give(storefrontId: string, points: number) {
  const body = { customer_id: storefrontId, point_value: points };
  expect((await service.client.post("/api/storefront/point_allotments", body)).status).toBe(200);
}

/** What an event says, in short. */
function said({ topic, payload }: { topic: string; payload: Record<string, never> }): string {
  return topic === "tier/change"
    ? `${payload["from"]?.["name"]} > ${payload["to"]?.["name"]}`
    : `${payload["point_value"]}`;
}

/** Reads on from a cursor, some events at a time, until there are so many. */
async function follow(from: string, count: number, query = "&include=tiers") {
  const seen: string[] = [];
  let cursor = from;
  await waitUntil(async () => {
    const { body } = await service.client.get(`${PATH}?limit=1&cursor=${cursor}${query}`);
    seen.push(...body.data.map(said));
    cursor = body.meta.next_cursor;
    return seen.length >= count;
  });
  return { seen, cursor };
}

const now = async () => (await service.client.get(`${PATH}?cursor=now`)).body.meta.next_cursor;

test("in a store without any points a change of a tier is shown", async () => {
  const { storefrontId } = await makeCustomer(service.deps);
  await place(storefrontId, "Silver");
  const { seen } = await follow("start", 1);
  expect(seen).toEqual(["Bronze > Silver"]);
});

test("changes of tiers are among the allotments in their order, and only where they are asked for", async () => {
  const { storefrontId } = await makeCustomer(service.deps);
  const from = await now();
  for (const [points, tier] of [
    [1, "Silver"],
    [2, "Gold"],
  ] as const) {
    service.clock.advance({ seconds: 1 });
    await give(storefrontId, points);
    service.clock.advance({ seconds: 1 });
    await place(storefrontId, tier);
  }
  const { seen, cursor } = await follow(from, 4);
  expect(seen).toEqual(["1", "Bronze > Silver", "2", "Silver > Gold"]);
  const page = (await service.client.get(`${PATH}?cursor=${from}&include=tiers`)).body;
  expect(page.data[1]).toEqual({
    cursor: expect.any(String),
    topic: "tier/change",
    payload: {
      changed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/),
      customer: { storefront_id: expect.anything() },
      from: { uid: expect.any(String), name: "Bronze" },
      to: { uid: expect.any(String), name: "Silver" },
      cause: "api",
      uid: expect.any(String),
    },
  });
  expect(page.meta.next_cursor).toBe(cursor);
  expect((await follow(from, 2, "")).seen).toEqual(["1", "2"]);
  expect((await service.client.get(`${PATH}?include=names`)).status).toBe(422);
});

test("a change that commits late, or is dated back, comes once, after what was read", async () => {
  const { deps } = service;
  const [late, other] = await Promise.all([makeCustomer(deps), makeCustomer(deps)]);
  const from = await now();
  const written = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  service.clock.advance({ seconds: 1 });
  const open = deps.db.tx(async (tx) => {
    await updateTier(tx, deps, late.storefrontId, { update: { tier: "Gold" }, cause: CAUSE });
    written.resolve();
    await released.promise;
  });
  await written.promise;
  service.clock.advance({ seconds: 1 });
  await give(other.storefrontId, 5);
  expect((await service.client.get(`${PATH}?cursor=${from}&include=tiers`)).body.data).toEqual([]);
  released.resolve();
  await open;
  const { seen, cursor } = await follow(from, 2);
  expect(seen).toEqual(["Bronze > Gold", "5"]);

  // a check that is made late dates its changes to the time at which it was due
  const past = deps.clock.now().subtract({ hours: 48 });
  const backdated = { ...deps, clock: { ...deps.clock, now: () => past } };
  await deps.db.tx((tx) => updateTier(tx, backdated, other.storefrontId, { update: { tier: "Silver" }, cause: CAUSE }));
  const next = await follow(cursor, 1);
  expect(next.seen).toEqual(["Bronze > Silver"]);
  expect((await service.client.get(`${PATH}?cursor=${next.cursor}&include=tiers`)).body.data).toEqual([]);
});

test("many writers at once: a reader that follows sees each event once", async () => {
  const { deps } = service;
  const from = await now();
  const customers = await Promise.all(Array.from({ length: 8 }, () => makeCustomer(deps)));
  const writing = Promise.all(
    customers.map(async (customer, i) => {
      for (const tier of ["Silver", "Gold", "Bronze"]) {
        await deps.db.tx((tx) => updateTier(tx, deps, customer.storefrontId, { update: { tier }, cause: CAUSE }));
        const change = { kind: "add", pointValue: BigInt(100 + i), shortfall: "refuse" } as const;
        const posting = plainPosting(deps.random.uid(), "api", "test", change);
        await deps.db.tx((tx) => postAllotments(tx, deps, [{ customer, posting }]));
        service.clock.advance({ milliseconds: 1 });
      }
    }),
  );
  const [{ seen }] = await Promise.all([follow(from, 48), writing]);
  expect(seen).toHaveLength(48);
  for (const change of ["Bronze > Silver", "Silver > Gold", "Gold > Bronze"])
    expect(seen.filter((each) => each === change)).toHaveLength(8);
  for (let i = 0; i < 8; i++) expect(seen.filter((each) => each === `${100 + i}`)).toHaveLength(3);
});

test("a long poll ends with a change where these are asked for, and a stream names its topic", async () => {
  let cursor = "";
  await waitUntil(async () => {
    const { storefrontId } = await makeCustomer(service.deps);
    cursor = await now();
    const asked = service.client.get(`${PATH}?wait=20&include=tiers&cursor=${cursor}`);
    service.clock.advance({ seconds: 1 });
    await place(storefrontId, "Gold");
    const told = (await asked).body.data.map(said);
    const { seen } = await follow(cursor, 1);
    if (told.length === 0) return false; // a transaction of another database of the server was longer: once more
    expect([told, seen]).toEqual([["Bronze > Gold"], ["Bronze > Gold"]]);
    return true;
  });
  expect((await service.client.get(`${PATH}?wait=1&cursor=${cursor}`)).body.data).toEqual([]);

  const ended = new AbortController();
  const headers = { authorization: basic(service.credential), accept: "text/event-stream" };
  const response = await fetch(`${service.url}${PATH}?include=tiers&cursor=${cursor}`, {
    headers,
    signal: ended.signal,
  });
  let text = "";
  if (response.body !== null)
    for await (const piece of response.body.pipeThrough(new TextDecoderStream())) {
      text += piece;
      if (text.includes("\ndata: ")) break;
    }
  ended.abort();
  expect(text).toContain("event: tier/change\ndata: {");
});
