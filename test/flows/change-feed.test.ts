import { afterAll, beforeAll, expect, test } from "vitest";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { waitUntil } from "../support/wait-until.ts";

const WAIT_MS = 20_000;
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
  }, WAIT_MS);
  expect(seen.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4]);
  expect(seen[0]).toBe(1);
  expect(times).toEqual(times.toSorted());
  const again = (await client.get(`${PATH}?cursor=${cursor}`)).body;
  expect(again.data).toEqual([]);
});

test("a cursor that is none is refused by its name", async () => {
  const answer = await service.client.get(`${PATH}?cursor=nonsense`);
  expect(answer.status).toBe(422);
  expect(JSON.stringify(answer.body)).toContain("cursor");
});
