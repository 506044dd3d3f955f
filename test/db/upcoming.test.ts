import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Queryable } from "../../src/db/pool.ts";
import type { CustomerRef } from "../../src/ledger/customer-ref.ts";
import { type ExpiryRules, upcomingExpiries } from "../../src/ledger/expiry/expiry.ts";
import { readCurrentBalance } from "../../src/ledger/read/read-current-balance.ts";
import { readUpcoming } from "../../src/ledger/read/read-upcoming.ts";
import { makeCustomer } from "../support/customers.ts";
import { startTestService, type TestService } from "../support/service.ts";

// What a balance is and when it expires is read with one row for lots that expire together, and is what each lot by itself comes to.

const NOW = Temporal.Instant.from("2026-03-10T05:00:00Z");
const EMPTY = ["delete from lot", "delete from reservation"];
const SET_BALANCE = `update balance
set ledger_points = $2,
  held_points = $3,
  held_until = coalesce($4::timestamptz, 'infinity'),
  active_at = $5,
  oldest_since = (select min(since) from lot where expires_at = 'infinity'),
  soonest_expires_at = (select coalesce(min(expires_at), 'infinity') from lot)
where customer_uid = $1`;
const ADD_LOTS = `insert into lot (bucket, customer_uid, version, part, remaining, expires_at, since, extends)
select $1, $2, n, 0, u.remaining, coalesce(u.expires_at, 'infinity'), u.since, false
from unnest($3::bigint[], $4::timestamptz[], $5::timestamptz[]) with ordinality u (remaining, expires_at, since, n)`;
const ADD_HOLD = `insert into reservation (uid, bucket, customer_uid, point_value, state, app_reference, held_at, expires_at)
values (gen_random_uuid(), $1, $2, $3, 'held', 'test', $4, $5)`;

let service: TestService;
let customer: CustomerRef;
beforeAll(async () => {
  service = await startTestService({ worker: false });
  customer = await makeCustomer(service.deps);
});
afterAll(() => service.stop());

/** Around NOW by up to 80 days, often the beginning of a day in Tokyo (15:00 UTC) or in New York, or next to it. */
const instants = fc
  .tuple(fc.integer({ min: -80, max: 80 }), fc.constantFrom(0, 4, 5, 10, 15), fc.constantFrom(-1, 0, 1, 1_234_567))
  .map(([days, hours, microseconds]) =>
    Temporal.Instant.from("2026-03-10T00:00:00Z")
      .add({ hours: 24 * days + hours })
      .add({ microseconds }),
  );
const past = instants.filter((at) => Temporal.Instant.compare(at, NOW) <= 0);

const lots = fc.array(
  fc.record({ remaining: fc.bigInt({ min: 1n, max: 9n }), expiresAt: fc.option(instants), since: past }),
  { maxLength: 12 },
);
const stories = fc.record({
  lots,
  activeAt: fc.option(past),
  holds: fc.array(fc.record({ points: fc.bigInt({ min: 1n, max: 12n }), expiresAt: fc.option(instants) }), {
    maxLength: 2,
  }),
  rules: fc.record<ExpiryRules>({
    delayMonths: fc.constantFrom(null, 1, 2),
    mode: fc.constantFrom("sliding", "per_allotment"),
    sweep: fc.constantFrom("daily", "monthly"),
    couponsExtend: fc.constant(true),
    timeZone: fc.constantFrom("Asia/Tokyo", "America/New_York"),
    shortenedAt: fc.option(past),
    shorteningDays: fc.constantFrom(0, 20),
    returnedDays: fc.constantFrom(1, 30),
  }),
});

test("lots that expire together are read as one, with the same result", async () => {
  const { owner, deps } = service;
  const { bucket, customerUid } = customer;
  await fc.assert(
    fc.asyncProperty(stories, async (story) => {
      for (const statement of EMPTY) await owner.execute(statement);
      const points = story.lots.reduce((sum, { remaining }) => sum + remaining, 0n);
      const holds = story.holds.filter(({ points: held }) => held * 2n <= points);
      await owner.execute(ADD_LOTS, [
        ...[bucket, customerUid],
        story.lots.map(({ remaining }) => remaining),
        story.lots.map(({ expiresAt }) => expiresAt),
        story.lots.map(({ since }) => since),
      ]);
      for (const hold of holds)
        await owner.execute(ADD_HOLD, [
          bucket,
          customerUid,
          hold.points,
          NOW.subtract({ hours: 3000 }),
          hold.expiresAt,
        ]);
      const ends = holds.flatMap(({ expiresAt }) => expiresAt ?? []).sort(Temporal.Instant.compare);
      const held = holds.reduce((sum, each) => sum + each.points, 0n);
      await owner.execute(SET_BALANCE, [customerUid, points, held, ends[0] ?? null, story.activeAt]);
      const each = await readCurrentBalance(deps.db, customer, story.rules, NOW);
      expect(await readUpcoming(deps.db, customer, story.rules, NOW)).toEqual({
        ledger: expect.objectContaining({
          ledgerPoints: each?.ledger.ledgerPoints,
          heldPoints: each?.ledger.heldPoints,
        }),
        expiresAt: each?.expiresAt,
        expiries: each && upcomingExpiries({ ...each.ledger, lots: each.lots }, story.rules, NOW),
      });
    }),
    { numRuns: 150 },
  );
});

test("100 lots of each of three days are three rows", async () => {
  const { owner, deps } = service;
  const { bucket, customerUid } = customer;
  for (const statement of EMPTY) await owner.execute(statement);
  const dates = Array.from({ length: 300 }, (_, n) => NOW.add({ hours: 24 * (1 + (n % 3)), microseconds: n + 1 }));
  const given = [dates.map(() => 1n), dates, dates.map(() => NOW.subtract({ hours: 1 }))];
  await owner.execute(ADD_LOTS, [bucket, customerUid, ...given]);
  await owner.execute(SET_BALANCE, [customerUid, 300n, 0n, null, null]);
  let rows = 0;
  const db: Pick<Queryable, "query"> = {
    query: async <Row extends object>(...statement: Parameters<Queryable["query"]>) => {
      const found = await deps.db.query<Row>(...statement);
      rows += found.length;
      return found;
    },
  };
  const rules: ExpiryRules = {
    ...{ delayMonths: 12, mode: "sliding", sweep: "daily", couponsExtend: true, timeZone: "Asia/Tokyo" },
    ...{ shortenedAt: null, shorteningDays: 0, returnedDays: 30 },
  };
  const upcoming = await readUpcoming({ ...deps.db, ...db }, customer, rules, NOW);
  expect(upcoming?.expiries.map(({ points }) => points)).toEqual([100n, 100n, 100n]);
  expect(rows).toBe(3);
});
