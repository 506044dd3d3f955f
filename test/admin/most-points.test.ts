import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { postAllotments } from "../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../src/ledger/posting.ts";
import { pointsClassOf } from "../../src/metrics/customer-metrics.ts";
import { aggregateAll } from "../support/aggregate-all.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { type AdminClient, signIn } from "../support/staff.ts";

/** Several pages; the many who have 100, or 1, share a class, and half of the rich a sum with a neighbour. */
const CUSTOMERS = 250;
const RICH = 60;
const FEW = { from: 180, points: 5n };
const POOR_FROM = 190;

const pointsOf = (n: number): bigint => {
  if (n < RICH) return BigInt(1_000 + 37 * Math.floor(n / 2) ** 2);
  if (n < FEW.from) return 100n;
  return n < POOR_FROM ? FEW.points : 1n;
};

let service: TestService;
let viewer: AdminClient;

async function give(points: bigint): Promise<void> {
  const customer = await makeCustomer(service.deps);
  const posting = plainPosting(service.deps.random.uid(), "manual", "test", {
    kind: "add",
    pointValue: points,
    shortfall: "refuse",
  });
  await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
}

async function uidsByPoints(): Promise<string[]> {
  const uids: string[] = [];
  let after = "";
  for (;;) {
    const { body } = await viewer.get(`/customers?sort=points${after}`);
    uids.push(...body.data.map(({ uid }: { uid: string }) => uid));
    if (body.next === null) return uids;
    after = `&after=${encodeURIComponent(body.next)}`;
  }
}

async function uidsOf(text: string): Promise<string[]> {
  return (await service.deps.db.query<{ uid: string }>(text)).map(({ uid }) => uid);
}

const EXACT = `select customer_uid as uid
from balance
where ledger_points > 0
order by ledger_points desc, customer_uid desc`;

describe("customers with most points", () => {
  beforeAll(async () => {
    service = await startTestService({ worker: false });
    for (let n = 0; n < CUSTOMERS; n++) await give(pointsOf(n));
    viewer = await signIn(service, "viewer");
  });
  afterAll(() => service.stop());

  test("are found among all balances while none is counted", async () => {
    expect(await uidsByPoints()).toEqual(await uidsOf(EXACT));
  });

  test("are found behind crowds whose points beside the class are not known yet", async () => {
    const { db } = service.deps;
    await aggregateAll(service.deps);
    await db.execute("update figure_customer set class_points = 0"); // as a migration leaves it
    await db.execute(
      `insert into figure_customer (bucket, customer_uid, active_on, expiring, points_class)
       select 0, gen_random_uuid(), '1999-01-01', '', unnest($1::smallint[])
       from generate_series(1, 12000)`,
      [[pointsClassOf(100n), pointsClassOf(1n)]],
    );
    expect(await uidsByPoints()).toEqual(await uidsOf(EXACT));
    await db.execute("delete from figure_customer where active_on = '1999-01-01'");
  });

  test("are found by their classes, page by page in the exact order", async () => {
    await aggregateAll(service.deps);
    expect(await uidsByPoints()).toEqual(await uidsOf(EXACT));
    const [richest = ""] = await uidsOf(EXACT);
    await service.deps.db.execute("update figure_customer set points_class = null where customer_uid = $1", [richest]);
    expect(await uidsByPoints()).toEqual((await uidsOf(EXACT)).filter((uid) => uid !== richest));
  });

  test("are found among all balances again while the worker counts anew", async () => {
    await service.deps.db.execute("update figure_standing set rules = 'of an earlier version'");
    expect(await uidsByPoints()).toEqual(await uidsOf(EXACT));
  });
});
