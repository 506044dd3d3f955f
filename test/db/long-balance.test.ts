import { afterAll, beforeAll, expect, test } from "vitest";
import type { Tx } from "../../src/db/pool.ts";
import type { CustomerRef } from "../../src/ledger/customer-ref.ts";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { type Change, plainPosting } from "../../src/ledger/posting.ts";
import { verifyLedger } from "../../src/ledger/verify-ledger.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

// A customer to whom a shop posts all day may have very many lots. Whoever takes all points must not keep the service from answering others.

const LOTS = 5_000;
const TOGETHER = 500;

let service: TestService;
let customer: CustomerRef;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  customer = await makeCustomer(service.deps);
});
afterAll(() => service.stop());

/** Posts changes and returns the largest number of rows that one statement wrote. */
async function post(changes: readonly Change[], customers: readonly CustomerRef[] = [customer]): Promise<number> {
  const { deps } = service;
  const postings = customers.flatMap((customer) =>
    changes.map((change) => ({ customer, posting: plainPosting(deps.random.uid(), "api", "test", change) })),
  );
  let rows = 0;
  await deps.db.tx(async (tx) => {
    const execute: Tx["execute"] = (text, params = []) => {
      rows = Math.max(rows, ...params.map((param) => (Array.isArray(param) ? param.length : 0)));
      return tx.execute(text, params);
    };
    await postAllotments({ ...tx, execute }, deps, postings);
  });
  return rows;
}

test("very many lots are written off by statements of some thousand rows each", async () => {
  const give: Change = { kind: "add", pointValue: 2n, shortfall: "refuse" };
  for (let n = 0; n < LOTS; n += TOGETHER)
    expect(await post(Array.from({ length: TOGETHER }, () => give))).toBe(TOGETHER);
  const rows = await post([{ kind: "add", pointValue: 1n - 2n * BigInt(LOTS), shortfall: "refuse" }]);
  expect(rows).toBeLessThanOrEqual(2_000);
  const [left] = await service.owner.query(
    `select (select count(*)::int from draw) as draws, (select count(*)::int from lot) as lots, ledger_points as points
    from balance
    where customer_uid = $1`,
    [customer.customerUid],
  );
  expect(left).toEqual({ draws: LOTS, lots: 1, points: 1n });
  const lines: string[] = [];
  expect((await verifyLedger(service.deps.db, (line) => void lines.push(line))).ok, lines.join("\n")).toBe(true);
  // what was drawn comes back as a lot for each of them
  const back: Change = { kind: "give_back", pointValue: 9_000n, ofVersion: BigInt(LOTS) + 1n, skip: 0n };
  expect(await post([back])).toBeLessThanOrEqual(2_000);
  // the last one was drawn by a point, and the first of those that come back is half
  expect(await service.owner.query("select from lot where version = $1", [LOTS + 2])).toHaveLength(4_501);
});

test("a batch that draws some lots from each of many customers is one statement", async () => {
  const customers: CustomerRef[] = [];
  for (let n = 0; n < 60; n++) customers.push(await makeCustomer(service.deps));
  const give: Change = { kind: "add", pointValue: 2n, shortfall: "refuse" };
  await post(
    Array.from({ length: 40 }, () => give),
    customers,
  );
  expect(await post([{ kind: "add", pointValue: -80n, shortfall: "refuse" }], customers)).toBe(2_400);
});
