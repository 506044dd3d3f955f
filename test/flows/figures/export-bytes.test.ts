import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CustomerRow } from "../../../src/customers/customer.ts";
import { makeExports } from "../../../src/exports/make-exports.ts";
import { statementLines } from "../../../src/exports/statement-lines.ts";
import type { AllotmentType } from "../../../src/ledger/allotment-types.ts";
import { CHANGE_COLUMNS, columnOf } from "../../../src/ledger/change-columns.ts";
import { postAllotments } from "../../../src/ledger/post-allotments.ts";
import { plainPosting } from "../../../src/ledger/posting.ts";
import { readBalances } from "../../../src/ledger/read/read-balances.ts";
import { selectMetricsState } from "../../../src/metrics/customer-queries.ts";
import { verifyMetrics } from "../../../src/metrics/verify-metrics.ts";
import { formatInstant } from "../../../src/time/store-time.ts";
import { aggregateAll } from "../../support/aggregate-all.ts";
import { makeCustomer } from "../../support/customers.ts";
import { startTestService, type TestService } from "../../support/service.ts";

const API = "/api/storefront";
const POINTS_MAX = 2n ** 53n - 1n;

/** Names with what has a meaning in a CSV file, and e-mails; each stands as its cell must be. */
const PEOPLE: readonly { name: string | null; email: string | null; cells: string }[] = [
  { name: "Yamada Hanako", email: "hanako@store.example", cells: "hanako@store.example,Yamada Hanako" },
  { name: 'the "best"', email: null, cells: ',"the ""best"""' },
  { name: '=HYPERLINK("a","b")', email: "b@store.example", cells: `b@store.example,"'=HYPERLINK(""a"",""b"")"` },
  { name: "@sum", email: "+c@store.example", cells: "'+c@store.example,'@sum" },
  { name: "＝1+1", email: null, cells: ",'＝1+1" },
  { name: "-5", email: null, cells: ",'-5" },
  { name: "a;b,c", email: null, cells: ',"a;b,c"' },
  { name: "two\r\nlines", email: null, cells: ',"two\r\nlines"' },
  { name: "\ttab", email: null, cells: `,"'\ttab"` },
  { name: "山田 花子 😀", email: null, cells: ",山田 花子 😀" },
  { name: null, email: null, cells: "," },
  { name: "", email: null, cells: "," },
];

interface Written {
  readonly at: Temporal.Instant;
  readonly type: AllotmentType;
  readonly points: bigint;
}

describe.each(["sliding", "per_allotment"] as const)("the bytes of a file whose dates are %s", (mode) => {
  let service: TestService;
  const people: { customer: CustomerRow; cells: string }[] = [];

  const post = async (customer: CustomerRow, type: AllotmentType, pointValue: bigint) => {
    service.clock.advance({ minutes: 7 });
    const change = { kind: "add", pointValue, shortfall: "cap" } as const;
    const posting = plainPosting(service.deps.random.uid(), type, "test", change);
    await service.deps.db.tx((tx) => postAllotments(tx, service.deps, [{ customer, posting }]));
  };

  beforeAll(async () => {
    service = await startTestService({
      ...{ worker: false, now: "2026-01-01T00:00:00Z" },
      program: { store: { time_zone: "Asia/Tokyo" }, expiration: { mode, delay_months: 1 } },
    });
    for (const { name, email, cells } of PEOPLE) {
      const customer = await makeCustomer(service.deps);
      await service.owner.execute("update customer set name = $2, email = $3 where customer_uid = $1", [
        customer.customerUid,
        name,
        email,
      ]);
      people.push({ customer, cells });
    }
    const types: AllotmentType[] = ["fulfillment", "api", "manual", "reward", "csv", "refund"];
    for (let step = 0; step < 90; step++) {
      if (step % 10 === 0) service.clock.advance({ hours: 96 });
      // the last three stop early: their points reach their date and are not written off
      const customer = people[step % (step < 40 ? people.length : people.length - 3)]?.customer;
      if (customer === undefined) continue;
      await post(customer, types[step % types.length] ?? "api", step % 5 === 4 ? -30n : BigInt(20 + step));
    }
    service.clock.advance({ hours: 360 });
    const [rich, , held] = people;
    if (rich === undefined || held === undefined) throw new Error("there are no customers");
    for (let turn = 0; turn < 3; turn++) {
      await post(rich.customer, "api", -POINTS_MAX); // all that is there
      await post(rich.customer, "api", POINTS_MAX);
    }
    for (const ttl_seconds of [60, 86_400]) {
      const body = { customer_id: held.customer.storefrontId, point_value: 5, ttl_seconds };
      expect((await service.client.post(`${API}/reservations`, body)).status).toBe(200);
    }
    service.clock.advance({ hours: 1 }); // one hold is over and not released
  });
  afterAll(() => service.stop());

  async function historyOf({ customerUid }: CustomerRow): Promise<Written[]> {
    return service.deps.db.query<Written>(
      `select allotted_at as at, type, point_value as points from allotment where customer_uid = $1 order by version`,
      [customerUid],
    );
  }

  /** The file as the ledger's rows say, one customer after the other. */
  async function expectedFile(start: Temporal.Instant, end: Temporal.Instant): Promise<string> {
    const isBefore = (at: Temporal.Instant, edge: Temporal.Instant) => Temporal.Instant.compare(at, edge) < 0;
    const sumOf = (some: readonly Written[]) => some.reduce((sum, { points }) => sum + points, 0n);
    const shown = await readBalances(
      service.deps,
      service.deps.db,
      people.map(({ customer }) => customer),
    );
    const lines: string[] = [];
    for (const { customer, cells } of people) {
      const history = await historyOf(customer);
      const within = history.filter(({ at }) => !isBefore(at, start) && isBefore(at, end));
      if (within.every(({ points }) => points === 0n)) continue;
      const balance = shown.get(customer.customerUid);
      const at = balance?.expiresAt ?? null;
      const numbers = [
        sumOf(history.filter((one) => isBefore(one.at, start))),
        ...CHANGE_COLUMNS.map((name) => sumOf(within.filter((one) => columnOf(one.type, one.points) === name))),
        sumOf(history.filter((one) => isBefore(one.at, end))),
        balance?.points,
      ];
      const { data } = (await service.client.get(`${API}/point_balances/${customer.storefrontId}/tier`)).body;
      lines.push(
        `${[customer.storefrontId, cells, data.tier, ...numbers].join(",")},${at === null ? "" : formatInstant(at)}\r\n`,
      );
    }
    return `storefront_id,email,name,tier,opening_balance,${CHANGE_COLUMNS.join(",")},closing_balance,current_balance,expires_at\r\n${lines.join("")}`;
  }

  async function writtenFile(start: string, end: string): Promise<string> {
    const { db } = service.deps;
    await db.execute("delete from export_piece");
    await db.execute("delete from export");
    const uid = service.deps.random.uid();
    await db.execute(
      "insert into export (uid, start_at, end_at, state, requested_at, requested_by) values ($1, $2, $3, 'processing', now(), 'test')",
      [uid, Temporal.Instant.from(start), Temporal.Instant.from(end)],
    );
    expect(await makeExports(service.deps)).toBe(1);
    const pieces = await db.query<{ bytes: Buffer }>("select bytes from export_piece order by n");
    return Buffer.concat(pieces.map(({ bytes }) => bytes)).toString("utf8");
  }

  test.each([
    ["2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z"],
    ["2026-01-13T03:00:00Z", "2100-01-01T00:00:00Z"],
    ["2000-01-01T00:00:00Z", "2026-01-21T04:00:00Z"],
    ["2026-01-09T02:00:00Z", "2026-01-25T05:00:00Z"],
  ])("from %s to %s are those of the ledger", async (start, end) => {
    const file = await writtenFile(start, end);
    expect(file.split("\r\n").length).toBeGreaterThan(5);
    expect(file).toBe(await expectedFile(Temporal.Instant.from(start), Temporal.Instant.from(end)));
  });

  test("the store has what is hard: sums that no double holds, held points, points at their date", async () => {
    const rich = people[0];
    if (rich === undefined) throw new Error("there are no customers");
    const given = (await historyOf(rich.customer)).filter(({ points }) => points > 0n);
    expect(given.reduce((sum, { points }) => sum + points, 0n)).toBeGreaterThan(2n ** 53n);
    const differ = await service.deps.db.query<{ n: bigint }>(
      "select count(*) as n from balance where held_points > 0",
    );
    expect(differ).toEqual([{ n: 1n }]);
    const balances = await readBalances(
      service.deps,
      service.deps.db,
      people.map(({ customer }) => customer),
    );
    const ledger = await service.deps.db.query<{ customerUid: string; points: bigint }>(
      'select customer_uid as "customerUid", ledger_points - held_points as points from balance',
    );
    const due = ledger.filter(({ customerUid, points }) => balances.get(customerUid)?.points !== points);
    expect(due.length).toBeGreaterThan(1);
  });

  test("those of all time are the same from the sums that the daily walk has stored", async () => {
    const { db } = service.deps;
    const [from, ever, past] = ["2000-01-01T00:00:00Z", "2100-01-01T00:00:00Z", service.clock.now().toString()];
    const isWritten = async (end: string) =>
      expect(await writtenFile(from, end)).toBe(
        await expectedFile(Temporal.Instant.from(from), Temporal.Instant.from(end)),
      );
    for (const [walk, { customer }] of people.slice(2, 4).entries()) {
      service.clock.advance({ hours: 25 });
      await aggregateAll(service.deps);
      expect((await selectMetricsState(db)).summedAt).not.toBeNull();
      await post(customer, "coupon_cancellation", BigInt(7 + walk)); // not in the sums yet
      await post(customer, "expiration", -2n);
      await isWritten(ever);
    }
    await db.execute("update figure_standing set summed_at = $1", [service.clock.now()]); // further than the sums are
    await isWritten(past); // the sums of some customers have later allotments
    const sums = await db.query<{ n: bigint }>("select count(*) as n from figure_customer where summed_version > 0");
    expect(sums[0]?.n).toBe(BigInt(people.length - 1)); // all but those that no double holds

    await db.execute("update figure_customer set points_adjusted = points_adjusted + 1");
    const period = { startAt: Temporal.Instant.from(from), endAt: Temporal.Instant.from(ever) };
    await expect(Array.fromAsync(statementLines(service.deps, period))).rejects.toThrow("does not add up");
    const lines: string[] = [];
    expect(await verifyMetrics(service.deps, (line) => lines.push(line))).toBe(false);
    expect(lines).toContainEqual(expect.stringMatching(/^FAIL figures: customer [\w-]+ changed by .* up to version/));
  });
});
