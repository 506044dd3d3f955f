import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { upsertCustomer } from "../../../src/customers/upsert-customer.ts";
import { makeExports } from "../../../src/exports/make-exports.ts";
import { pruneExports } from "../../../src/exports/prune-exports.ts";
import { streamStatement } from "../../../src/exports/statement-queries.ts";
import type { AllotmentType } from "../../../src/ledger/allotment-types.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService({ worker: false, now: "2026-01-01T00:00:00Z", log: () => {} });
});
afterAll(() => service.stop());

const EXPORT = "/api/storefront/point_balances/export";

async function requestExport(start: string, end: string): Promise<string> {
  const answer = await service.client.post(EXPORT, { start_datetime: start, end_datetime: end });
  expect(answer.status).toBe(202);
  return answer.body.data.uid;
}

async function readFile(uid: string): Promise<string> {
  const { data } = (await service.client.get(`${EXPORT}/${uid}`)).body;
  expect(data.status).toBe("ready");
  const file = await service.client.as(null).get(new URL(data.url).pathname + new URL(data.url).search);
  expect(file.status).toBe(200);
  return file.text;
}

async function readRows(uid: string): Promise<Record<string, string>[]> {
  const [header = "", ...lines] = (await readFile(uid)).split("\r\n").slice(0, -1);
  const names = header.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [names[i], cell])));
}

async function post(customer: CustomerRow, type: AllotmentType, pointValue: bigint): Promise<bigint> {
  const change = { kind: "add", pointValue, shortfall: "cap" } as const;
  const posting = plainPosting(service.deps.random.uid(), type, "test", change);
  const [outcome] = await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
  return outcome?.kind === "posted" ? outcome.pointValue : 0n;
}

/** Creates customers of this name who have a point each. */
async function makeWithPoint(ids: readonly string[], name: string): Promise<void> {
  const { deps } = service;
  const change = { kind: "add", pointValue: 1n, shortfall: "cap" } as const;
  await deps.db.tx(async (tx) => {
    const wanted = [];
    for (const storefrontId of ids) {
      const { customer } = await upsertCustomer(tx, deps, { storefrontId, name });
      wanted.push({ customer, posting: plainPosting(deps.random.uid(), "api", "test", change) });
    }
    await postAllotments(tx, deps, wanted);
  });
}

const state = async (uid: string) => (await service.client.get(`${EXPORT}/${uid}`)).body.data.status;

/** What the statement must say, separated by type and sign. */
const COLUMN: Record<string, string> = {
  "fulfillment +": "points_earned",
  "tax +": "points_earned",
  "reward +": "points_earned",
  "api +": "points_earned",
  "api -": "points_spent",
  "manual +": "points_adjusted",
  "manual -": "points_adjusted",
  "csv +": "points_adjusted",
  "flow -": "points_adjusted",
  "refund -": "points_refunded",
  "expiration -": "points_expired",
  "coupon_reimbursement +": "points_returned",
  "coupon_cancellation +": "points_returned",
};

/** Numbers in [0, 1) that are the same in every run. */
function numbersFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("the statement of a period", () => {
  test("agrees with a model of random histories; opening plus the changes is closing", async () => {
    const next = numbersFrom(20_260_101);
    const customers = await Promise.all(Array.from({ length: 12 }, () => makeCustomer(service.deps)));
    const history: { id: string; at: string; kind: string; points: bigint }[] = [];
    for (let step = 0; step < 240; step++) {
      service.clock.advance({ hours: 3 });
      const customer = customers[Math.floor(next() * customers.length)];
      const kind = Object.keys(COLUMN)[Math.floor(next() * Object.keys(COLUMN).length)] ?? "api +";
      const [type = "api", sign] = kind.split(" ");
      const size = BigInt(1 + Math.floor(next() * 100));
      if (customer === undefined) continue;
      const points = await post(customer, type as AllotmentType, sign === "+" ? size : -size); // cast: a key of COLUMN
      if (points !== 0n) history.push({ id: customer.storefrontId, at: service.clock.now().toString(), kind, points });
    }
    const [start, end] = ["2026-01-08T00:00:00Z", "2026-01-22T00:00:00Z"];
    const uid = await requestExport(start, end);
    expect(await makeExports(service.deps)).toBe(1);
    const rows = await readRows(uid);
    const inPeriod = history.filter(({ at }) => at >= start && at < end);
    expect(rows.map((row) => row["storefront_id"])).toEqual([...new Set(inPeriod.map(({ id }) => id))].sort());
    for (const row of rows) expect(row).toEqual(expectedRow(history, row["storefront_id"] ?? "", start, end, row));
  });

  test("has nothing but its header where nothing changed", async () => {
    service.clock.advance({ hours: 9 });
    const uid = await requestExport("2001-01-01", "2001-12-31");
    await makeExports(service.deps);
    expect((await readFile(uid)).split("\r\n")).toEqual([expect.stringMatching(/^storefront_id,/), ""]);
  });
});

function expectedRow(
  history: readonly { id: string; at: string; kind: string; points: bigint }[],
  id: string,
  start: string,
  end: string,
  given: Record<string, string>,
): Record<string, string> {
  const own = history.filter((entry) => entry.id === id);
  const sum = (entries: typeof own) => entries.reduce((total, { points }) => total + points, 0n).toString();
  const within = own.filter(({ at }) => at >= start && at < end);
  const columns = Object.fromEntries(
    [...new Set(Object.values(COLUMN))].map((name) => [name, sum(within.filter(({ kind }) => COLUMN[kind] === name))]),
  );
  return {
    ...given,
    opening_balance: sum(own.filter(({ at }) => at < start)),
    ...columns,
    closing_balance: sum(own.filter(({ at }) => at < end)),
    current_balance: sum(own),
  };
}

describe("making an export", () => {
  test("many nodes make one file, of many pieces, once", async () => {
    service.clock.advance({ hours: 9 });
    const day = service.clock.now().toString();
    const name = "x".repeat(250);
    const ids = Array.from({ length: 2_500 }, (_, n) => `many-${String(n).padStart(5, "0")}`);
    for (let n = 0; n < ids.length; n += 500) await makeWithPoint(ids.slice(n, n + 500), name);
    const endAt = service.clock.now().add({ hours: 1 });
    const uid = await requestExport(day, endAt.toString());
    const made = await Promise.all([1, 2, 3].map(() => makeExports(service.deps)));
    expect(made.sort()).toEqual([0, 0, 1]);
    const [{ pieces } = { pieces: 0n }] = await service.deps.db.query<{ pieces: bigint }>(
      "select count(*) as pieces from export_piece where export_uid = $1",
      [uid],
    );
    expect(pieces).toBeGreaterThan(2n);
    expect((await readRows(uid)).map((row) => row["storefront_id"])).toEqual(ids);

    const streamed: string[][] = []; // rows that need nothing more are passed on in small pieces
    const period = { startAt: Temporal.Instant.from(day), endAt };
    for await (const rows of streamStatement(service.deps.db, period, { isSliding: true }))
      streamed.push(rows.map(({ storefrontId }) => storefrontId));
    expect(streamed.flat()).toEqual(ids);
    expect(Math.max(...streamed.map(({ length }) => length))).toBeLessThan(1_000);
  });

  test.each([
    ["a dead worker's is made anew when its lease runs out", "0"],
    ["one that a clock which was ahead leased is made", "1 year"],
  ])("%s", async (_, end) => {
    service.clock.advance({ hours: 9 });
    const uid = await requestExport("2026-01-01", "2026-12-31");
    const { db } = service.deps;
    const leaseUid = service.deps.random.uid();
    await db.execute(
      "update export set lease_uid = $2, lease_until = clock_timestamp() + interval '60 seconds', attempts = 1 where uid = $1",
      [uid, leaseUid],
    );
    await db.execute("insert into export_piece (export_uid, n, bytes) values ($1, 0, 'half'), ($1, 99, 'stale')", [
      uid,
    ]);
    expect(await makeExports(service.deps)).toBe(0);
    const aheadBy = "update export set lease_until = clock_timestamp() + $2::interval where uid = $1";
    await db.execute(aheadBy, [uid, end]);
    expect(await makeExports(service.deps)).toBe(1);
    expect(await readFile(uid)).toMatch(/^storefront_id,/);
    const stale = await db.query("select 1 from export_piece where export_uid = $1 and n = 99", [uid]);
    expect(stale).toEqual([]);
  });

  test("that fails three times is failed and gives its turn back", async () => {
    service.clock.advance({ hours: 9 });
    const { db } = service.deps;
    const uid = await requestExport("2026-01-01", "2026-12-31");
    await service.owner.execute("alter table export_piece add constraint broken check (n < 0) not valid");
    for (let attempt = 0; attempt < 3; attempt++) {
      expect([await state(uid), await makeExports(service.deps)]).toEqual(["processing", 0]);
      await db.execute("update export set lease_until = null where uid = $1", [uid]);
    }
    await service.owner.execute("alter table export_piece drop constraint broken");
    expect(await state(uid)).toBe("failed");
    const again = await requestExport("2026-01-01", "2026-12-31");
    expect(await makeExports(service.deps)).toBe(1);
    expect(await state(again)).toBe("ready");
  });

  test("files are kept for 30 days", async () => {
    service.clock.advance({ hours: 9 });
    const uid = await requestExport("2026-01-01", "2026-12-31");
    await makeExports(service.deps);
    service.clock.advance({ hours: 24 * 30 });
    await pruneExports(service.deps);
    expect(await state(uid)).toBe("ready");
    service.clock.advance({ seconds: 1 });
    await pruneExports(service.deps);
    expect((await service.client.get(`${EXPORT}/${uid}`)).status).toBe(404);
    expect(await service.deps.db.query("select 1 from export_piece")).toEqual([]);
  });
});
