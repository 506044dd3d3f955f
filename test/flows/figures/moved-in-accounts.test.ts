import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { selectImport } from "../../../src/imports/queries.ts";
import { workImports } from "../../../src/imports/work-imports.ts";
import { expirePoints } from "../../../src/ledger/expiry/expire-points.ts";
import { columnsOf } from "../../../src/moving-in/member.ts";
import { type MemberMove, MOVE_KINDS, moveUidOf } from "../../../src/moving-in/move.ts";
import { moveKind } from "../../../src/moving-in/move-kind.ts";
import { undoMove } from "../../../src/moving-in/undo-move.ts";
import { pointkeeper } from "../../../src/moving-in/vendors/pointkeeper.ts";
import { aggregateLiabilityAll } from "../../support/aggregate-liability-all.ts";
import { mergeInto } from "../../support/customers.ts";
import { body, line, minute, refunded, shipped } from "../../support/order-events.ts";
import { type OrderFlow, ofOrder, startOrderFlow } from "../../support/order-flow.ts";
import { signIn } from "../../support/staff.ts";

// A store that moved in, from its first month until the points that it brought have expired: each month's report, the deferred revenue and the journal
// beside SQL that reads the ledger alone, and follows docs/liability.md instead of the code.

const ZONE = "Asia/Tokyo";
const MONTHS = ["2026-03", "2026-04", "2026-05", "2026-06", "2026-07", "2026-08", "2026-09", "2026-10"];
const BY = { uid: "00000000-0000-0000-0000-000000000000", name: "test" };
const MEMBERS = 40;

let flow: OrderFlow;
let later: MemberMove;
/** What was paid for the goods with which an order's part was awarded, as its customer would say it. */
const paid: { month: string; yen: number }[] = [];
const closed = new Map<string, unknown>();

beforeAll(async () => {
  flow = await startOrderFlow({
    now: "2026-03-02T03:00:00Z",
    program: {
      store: { name: "Tea", currency: "JPY", time_zone: ZONE },
      earning: { point_value: 1, currency_value: 10 },
      expiration: { delay_months: 6, mode: "per_allotment" },
      coupons: { lifetime_hours: 48 },
    },
  });
});
afterAll(async () => {
  expect(await flow.faults()).toEqual([]);
  await flow.stop();
});

const setClock = (local: string) => {
  flow.clock.set(Temporal.PlainDateTime.from(local).toZonedDateTime(ZONE).toInstant());
};
const work = async (uid: string) => {
  await workImports(flow.deps);
  return selectImport(flow.deps.db, uid);
};

async function moveIn(rows: readonly string[]): Promise<MemberMove> {
  const header = ["id", "email", "points", "expires_at", "earned_at"];
  const bytes = Buffer.from(`${[header.join(","), ...rows].join("\n")}\n`);
  const move: MemberMove = {
    file: {
      name: "members.csv",
      open: async function* () {
        yield bytes;
      },
    },
    head: {
      ...({ encoding: "utf-8", separator: "," } as const),
      ...{ header, lineCount: rows.length + 1, sha256: createHash("sha256").update(bytes).digest() },
    },
    ...{ vendor: pointkeeper, columns: columnsOf(pointkeeper, header) },
    ...{ setsBalance: false, again: false, keepTiersUntil: null, asOf: null, uploadedAt: flow.deps.clock.now() },
  };
  for (const kind of MOVE_KINDS) await moveKind(flow.deps, move, kind, { by: BY, work, onLeftOut: async () => {} });
  return move;
}

/** Half of the members' points expire in May; a third were earned before they came. */
const memberRow = (id: string, n: number) =>
  `${id}${n},${id}${n}@moved.example,${100 + n * 7},${n % 2 === 0 ? "2026-05-20" : ""},${n % 3 === 0 ? `2025-1${n % 2}-0${1 + (n % 9)}` : ""}`;

/** Minutes from the start of March in UTC to the present moment: the times of the platform's events. */
const minuteNow = () => Math.floor(flow.deps.clock.now().since("2026-03-01T00:00:00Z").total("minutes"));

/** An order of two parts of the same price, of which the first is sent at once. Returns how the second is sent. */
async function order(name: string, member: string, yen: number): Promise<() => Promise<void>> {
  const now = minuteNow();
  const send = async (fulfillment: string) => {
    await flow.take(...ofOrder(name, member, [shipped(minuteNow(), fulfillment, { a: 1 })]));
    paid.push({
      month: flow.deps.clock.now().toZonedDateTimeISO(ZONE).toPlainDate().toString().slice(0, 7),
      yen: yen / 2,
    });
  };
  const lines = [line("a", { price: yen / 2, quantity: 2 })];
  await flow.take(...ofOrder(name, member, [body(now, lines, { processedAt: minute(now) })]));
  await send("f");
  return () => send("g");
}

async function manager() {
  return signIn(flow, "manager");
}
async function estimate(given: object): Promise<void> {
  const answer = await (await manager()).put("/liability/estimate", given);
  expect(answer.status, answer.text).toBe(200);
}
async function close(month: string): Promise<void> {
  await aggregateLiabilityAll(flow);
  const answer = await (await manager()).post("/liability/close", { month });
  expect(answer.status, answer.text).toBe(200);
  for (const each of answer.body.data.months) closed.set(each, await figures(each));
}
async function report(month: string) {
  const { status, body: answer } = await flow.client.get(`/api/storefront/reports/liability?month=${month}`);
  expect({ month, status }).toEqual({ month, status: 200 });
  return answer.data;
}
async function journal(month: string): Promise<string> {
  return (await flow.client.get(`/api/storefront/reports/liability/journal?month=${month}`)).text;
}
async function figures(month: string) {
  const { total, origins, cohorts, late, revenue } = await report(month);
  return { total, origins, cohorts, late, revenue, journal: await journal(month) };
}

test("eight months: moved in, sold in parts, redeemed, refunded, merged, undone and expired, and closed meanwhile", async () => {
  await moveIn(Array.from({ length: MEMBERS }, (_, n) => memberRow("a", n)));
  later = await moveIn(Array.from({ length: 10 }, (_, n) => memberRow("b", n)));
  await estimate({ month: "2026-03", redemption: "80", point_price: "0.9" });
  const second: (() => Promise<void>)[] = [];
  setClock("2026-03-20T12:00:00");
  for (let n = 0; n < 12; n++) second.push(await order(`march-${n}`, `a${n}`, 20_000 + n * 4_000));
  for (let n = 0; n < 9; n++) await flow.give(`a${n}`, -(150 + n * 11));
  for (let n = 0; n < 5; n++) await flow.give(`b${n}`, -30);
  for (let n = 12; n < 20; n++) await flow.coupon(`a${n}`, 40 + n);
  setClock("2026-03-24T12:00:00");
  await sweep();
  for (let n = 20; n < 26; n++) await flow.coupon(`a${n}`, 25); // these are open at the end of the month
  setClock("2026-03-31T23:30:00");
  for (const send of second.slice(0, 6)) await send();
  setClock("2026-04-02T09:00:00");
  await sweep();
  await close("2026-03");
  for (const send of second.slice(6)) await send();
  await flow.take(
    ...ofOrder("march-1", "a1", [refunded(minuteNow(), "r", { lines: [["a", 1, 12_000]], moved: 12_000 })]),
  );
  await mergeInto(flow.deps, "a2", "a1");
  for (let n = 3; n < 12; n++) await flow.give(`a${n}`, -(900 + n * 20));
  setClock("2026-04-15T09:00:00");
  for (let n = 0; n < 8; n++) await (await order(`april-${n}`, `a${n + 20}`, 12_000 + n * 2_000))();
  setClock("2026-05-10T09:00:00");
  await close("2026-04");
  await estimate({ month: "2026-05", redemption: "70", point_price: "0.85" });
  await undoMove(flow.deps, moveUidOf(later), { by: BY, work });
  setClock("2026-05-22T09:00:00");
  await sweep();
  for (let n = 0; n < 6; n++) await (await order(`may-${n}`, `a${n}`, 30_000))();
  setClock("2026-06-12T09:00:00");
  await close("2026-05");
  await estimate({ month: "2026-06", cohort: "2026-03", redemption: "90" });
  for (let n = 0; n < 10; n++) await flow.give(`a${n}`, -(600 + n));
  await flow.coupon("a7", 200);
  setClock("2026-07-03T09:00:00");
  await flow.remove("a5");
  setClock("2026-09-25T09:00:00");
  await sweep();
  await close("2026-07");
  setClock("2026-10-20T09:00:00");
  await sweep();
  await aggregateLiabilityAll(flow);
  for (const [month, before] of closed) expect({ month, now: await figures(month) }).toEqual({ month, now: before });
  expect([...closed.keys()]).toEqual(MONTHS.slice(0, 5));
});

async function sweep(): Promise<void> {
  await flow.expire();
  await expirePoints(flow.deps);
}

const MOVED = `moved as (
  select to_char(x.allotted_at at time zone '${ZONE}', 'YYYY-MM') as month, to_char(x.since at time zone '${ZONE}', 'YYYY-MM') as cohort,
    coalesce(x.origin, 'unstated') as origin, x.points, case
      when x.source_key like 'merge/%' then case when x.gain then 'moved_in' else 'moved_out' end
      when x.type in ('coupon_reimbursement', 'coupon_cancellation') then 'returned'
      when x.type = 'expiration' then 'expired'
      when x.type = 'deletion' then 'forfeited'
      when x.gain then 'issued'
      when x.type = 'refund' then 'taken_back'
      when x.type = 'csv' then 'corrected'
      when x.type = 'api' then 'redeemed' end as kind
  from (
    select a.allotted_at, a.type, a.source_key, false as gain, d.lot_since as since, d.lot_origin as origin, d.points
    from allotment a
    join draw d on d.customer_uid = a.customer_uid and d.by_version = a.version
    union all
    select a.allotted_at, a.type, a.source_key, true, p.since, p.origin, p.points
    from allotment a
    join (
      select customer_uid, version, since, origin, remaining as points from lot
      union all
      select customer_uid, lot_version, lot_since, lot_origin, points from draw) p using (customer_uid, version)
    where a.point_value > 0) x)`;

const KINDS = `sum(points) filter (where kind = 'issued') as issued, sum(points) filter (where kind = 'returned') as returned,
  sum(points) filter (where kind = 'redeemed') as redeemed, sum(points) filter (where kind = 'expired') as expired,
  sum(points) filter (where kind = 'taken_back') as taken_back, sum(points) filter (where kind = 'corrected') as corrected,
  sum(points) filter (where kind = 'forfeited') as forfeited, sum(points) filter (where kind = 'moved_in') as moved_in,
  sum(points) filter (where kind = 'moved_out') as moved_out`;
const FIELDS = [
  "issued",
  "returned",
  "redeemed",
  "expired",
  "taken_back",
  "corrected",
  "forfeited",
  "moved_in",
  "moved_out",
];

type Row = Readonly<Record<string, string | null>>;
const numbers = (row: Row, fields: readonly string[]) =>
  Object.fromEntries(fields.map((name) => [name, Number(row[name] ?? 0)]));

test.each([["cohort"], ["origin"]] as const)("points by month and %s are those of the ledger", async (by) => {
  const rows = await flow.owner.query<Row>(
    `with ${MOVED} select month, ${by} as key, ${KINDS} from moved group by 1, 2 order by 1, 2`,
  );
  for (const month of MONTHS) {
    const { cohorts, origins } = await report(month);
    const shown = by === "cohort" ? cohorts : origins;
    const got = shown
      .map((one: Record<string, unknown>) => ({ key: one[by === "cohort" ? "month" : "origin"], ...one }))
      .filter((one: Record<string, number>) => FIELDS.some((name) => one[name] !== 0))
      .map((one: Row) => ({ key: one["key"], ...numbers(one, FIELDS) }));
    const expected = rows
      .filter((row) => row["month"] === month)
      .map((row) => ({ key: row["key"], ...numbers(row, FIELDS) }));
    const sorted = (list: readonly Record<string, unknown>[]) =>
      list.toSorted((a, b) => (String(a["key"]) < String(b["key"]) ? -1 : 1));
    expect({ month, rows: sorted(got) }).toEqual({ month, rows: sorted(expected) });
  }
});

test("the points owed at each month's end are the sum of all allotments until then", async () => {
  const rows = await flow.owner.query<Row>(
    `select m.month, (
      select sum(a.point_value) from allotment a where a.allotted_at < ((m.month || '-01')::timestamp + interval '1 month') at time zone '${ZONE}') as owed
    from unnest($1::text[]) as m (month)`,
    [MONTHS],
  );
  const owed = new Map(rows.map(({ month, owed: points }) => [month, Number(points)]));
  let opening = 0;
  for (const month of MONTHS) {
    const { total } = await report(month);
    expect({ month, opening: total.opening, closing: total.closing }).toEqual({
      month,
      opening,
      closing: owed.get(month),
    });
    opening = total.closing;
  }
  const kinds = await flow.owner.query<Row>(`with ${MOVED} select ${KINDS} from moved where origin = 'migration'`);
  for (const kind of ["issued", "redeemed", "expired", "corrected", "returned"])
    expect(Number(kinds[0]?.[kind])).toBeGreaterThan(0);
});

/** docs/liability.md, "Deferred revenue", for each month of issue; what was paid is what the test bought. */
const DEFERRED = `with recursive ${MOVED},
expected as (
  select k.month, k.cohort, case when k.cohort = '2026-03' and k.month >= '2026-06' then 0.9 when k.month >= '2026-05' then 0.7 else 0.8 end as share,
    case when k.month >= '2026-05' then 0.85 else 0.9 end as price
  from (select m.month, c.cohort from unnest($1::text[]) m (month), unnest($1::text[]) c (cohort)) k),
sale as (
  select e.month, e.cohort, e.share, e.price,
    case when e.month = e.cohort then coalesce((select sum(p.yen) from unnest($2::text[], $3::numeric[]) p (month, yen) where p.month = e.month), 0) else 0 end as paid,
    coalesce(sum(m.points) filter (where m.kind = 'issued'), 0) as issued,
    coalesce(sum(m.points) filter (where m.kind in ('taken_back', 'corrected')), 0) as taken,
    coalesce(sum(m.points) filter (where m.kind = 'redeemed'), 0) - coalesce(sum(m.points) filter (where m.kind = 'returned'), 0) as redeemed,
    coalesce(sum(m.points) filter (where m.kind in ('expired', 'forfeited', 'moved_out')), 0)
      - coalesce(sum(m.points) filter (where m.kind = 'moved_in'), 0) as lapsed
  from expected e
  left join moved m on m.month = e.month and m.cohort = e.cohort and m.origin = 'sale'
  group by 1, 2, 3, 4),
step as (
  select 0 as n, c.cohort, ''::text as month, 0::numeric as opening, 0::numeric as additions, 0::numeric as taken_back, 0::numeric as redemption,
    0::numeric as breakage, 0::numeric as reestimate, 0::numeric as allocated, 0::numeric as recognised, 0::numeric as issued, 0::numeric as redeemed,
    0::numeric as lapsed, null::numeric as share
  from unnest($1::text[]) c (cohort)
  union all
  select b.n + 1, b.cohort, s.month, b.allocated - b.recognised, a.additions, t.taken_back, d.redemption, r.as_before - b.recognised - d.redemption,
    r.now - r.as_before, f.allocated, r.now, f.issued, f.redeemed, f.lapsed, s.share
  from step b
  join sale s on s.cohort = b.cohort and s.month = ($1::text[])[b.n + 1]
  cross join lateral (select case when s.issued > 0 and s.paid > 0
    then round(s.paid * (s.issued * s.price) / (s.paid + s.issued * s.price)) else 0 end as additions) a
  cross join lateral (select case when b.issued + s.issued > 0
    then round((b.allocated + a.additions) * s.taken / (b.issued + s.issued)) else 0 end as taken_back) t
  cross join lateral (select b.allocated + a.additions - t.taken_back as allocated, b.issued + s.issued - s.taken as issued,
    b.redeemed + s.redeemed as redeemed, b.lapsed + s.lapsed as lapsed) f
  cross join lateral (select case when f.issued > 0 then round(f.allocated * s.redeemed / f.issued) else 0 end as redemption) d
  cross join lateral (
    select case when f.issued - f.lapsed <= f.redeemed then f.allocated
        else round(f.allocated * f.redeemed / greatest(f.redeemed, 1, least(round(f.issued * s.share), f.issued - f.lapsed))) end as now,
      case when f.issued - f.lapsed <= f.redeemed then f.allocated
        else round(f.allocated * f.redeemed / greatest(f.redeemed, 1, least(round(f.issued * coalesce(b.share, s.share)), f.issued - f.lapsed))) end as as_before
  ) r
  where b.n < cardinality($1::text[]))
select month, cohort, opening::text, additions::text, taken_back::text, redemption::text, breakage::text, reestimate::text,
  (allocated - recognised)::text as closing
from step
where n > 0 and (opening, additions, taken_back, redemption, breakage, reestimate) is distinct from (0, 0, 0, 0, 0, 0)
order by month, cohort`;

const LINES = ["opening", "additions", "taken_back", "redemption", "breakage", "reestimate", "closing"];
const ACCOUNTS: Readonly<Record<string, readonly [debit: string, credit: string]>> = {
  additions: ["Revenue", "Deferred revenue: loyalty points"],
  taken_back: ["Deferred revenue: loyalty points", "Revenue"],
  redemption: ["Deferred revenue: loyalty points", "Loyalty revenue: redeemed points"],
  breakage: ["Deferred revenue: loyalty points", "Loyalty revenue: breakage"],
  reestimate: ["Deferred revenue: loyalty points", "Loyalty revenue: breakage"],
};

test("deferred revenue from opening to closing, and the journal, are what SQL computes by the words of the document", async () => {
  const rows = await flow.owner.query<Row>(DEFERRED, [
    MONTHS,
    paid.map(({ month }) => month),
    paid.map(({ yen }) => yen),
  ]);
  for (const month of MONTHS) {
    const { revenue } = await report(month);
    const here = rows.filter((row) => row["month"] === month);
    const got = revenue.cohorts.map((one: Row) => ({ cohort: one["month"], ...numbers(one, LINES) }));
    const expected: readonly Readonly<Record<string, unknown>>[] = here.map((row) => ({
      ...{ cohort: row["cohort"], ...numbers(row, LINES) },
    }));
    expect({
      month,
      rows: got.filter((one: Record<string, unknown>) => LINES.some((name) => one[name] !== 0)),
    }).toEqual({ month, rows: expected });
    const sum = (name: string) => expected.reduce((total, row) => total + Number(row[name]), 0);
    expect({ month, ...numbers(revenue.total, LINES) }).toEqual({
      month,
      ...Object.fromEntries(LINES.map((name) => [name, sum(name)])),
    });
    const booked: string[] = [];
    for (const name of Object.keys(ACCOUNTS))
      for (const row of expected) {
        const value = Number(row[name]);
        const [debit, credit] = ACCOUNTS[name] ?? ["", ""];
        const accounts = value < 0 ? [credit, debit] : [debit, credit];
        if (value !== 0)
          booked.push(
            `${accounts[0]} ${Math.abs(value)}  ${month}/${row["cohort"]}/${name}`,
            `${accounts[1]}  ${Math.abs(value)} ${month}/${row["cohort"]}/${name}`,
          );
      }
    const entries = (await journal(month))
      .trim()
      .split("\r\n")
      .slice(1)
      .map((text) => text.split(","));
    expect(
      entries.map(([, account, debit, credit, , , , reference]) => `${account} ${debit} ${credit} ${reference}`),
    ).toEqual(booked);
  }
  for (const name of LINES)
    expect({ name, isAny: rows.some((row) => Number(row[name]) !== 0) }).toEqual({ name, isAny: true });
});
