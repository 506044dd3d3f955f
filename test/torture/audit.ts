import { setTimeout as delay } from "node:timers/promises";
import { UNACKNOWLEDGED } from "../support/webhook-flow.ts";
import { auditFeed, type FeedFindings } from "./audit-feed.ts";
import type { Cluster } from "./cluster.ts";
import type { FeedEvent, Journal } from "./journal.ts";

/**
 * What the ledger has, held beside what was acknowledged. All from `lost` on must be 0, but `due` and `delivered`, which must be equal, as `due` and
 * `read` of the feed.
 */
export interface Findings {
  readonly acknowledged: number;
  /** Calls without a key whose answer was lost: each may stand in the ledger once or not at all. */
  readonly open: number;
  readonly orders: number;
  /** Of CSV files. */
  readonly rows: number;
  /** Coupons and reservations. */
  readonly spendings: number;
  /** Acknowledged calls that are not in the ledger as they were answered, and orders without their points. */
  readonly lost: number;
  /** Calls or orders that stand in it more than once, and calls that were refused and stand in it. */
  readonly doubled: number;
  /** Answers that no fault explains: 4xx, 500. */
  readonly faults: number;
  readonly due: number;
  readonly delivered: number;
  readonly undelivered: number;
  /** Deliveries of allotments that are not in the ledger. */
  readonly phantom: number;
  readonly unsigned: number;
  readonly feed: FeedFindings;
  /** Lines of `pointkeeper verify` that say what does not hold. */
  readonly unverified: number;
  /** What was found, in words, at most some dozens. */
  readonly details: readonly string[];
}

interface Row extends FeedEvent {
  /** At most so many points may have been held then. */
  readonly held: number;
  readonly note: string | null;
}

// A node follows a jump of the store's clock a moment after the others. So a hold that it makes may be over, by its times, before an allotment that it
// makes next, whose time follows that of another node's. Between two rounds the clock moves by days.
const ALLOTMENTS = `select a.uid,
  c.storefront_id as customer,
  a.version::int as version,
  a.point_value::int as points,
  a.balance_after::int as balance,
  coalesce((
    select sum(r.point_value)
    from reservation r
    where r.bucket = a.bucket
      and r.customer_uid = a.customer_uid
      and r.held_at <= a.allotted_at
      and coalesce(r.ended_at, 'infinity') > a.allotted_at - interval '36 hours'), 0)::int as held,
  n.note
from allotment a
join customer c using (bucket, customer_uid)
left join allotment_note n using (bucket, customer_uid, version)
order by a.allotted_at, a.uid`;

const ORDER_POINTS = `select o.order_id as id,
  coalesce(sum(a.point_value), 0)::int as points
from store_order o
left join order_posting p using (order_id)
left join allotment a on (a.bucket, a.customer_uid, a.version) = (p.bucket, p.customer_uid, p.version)
group by 1`;

// A coupon whose use was reported after its points had come back costs what the balance has: at most its points.
const SPENDINGS = `select x.id, sum(x.points)::int as points
from (
  select case when a.source_key like 'hold/%' then 'hold/' else 'coupon/' end || split_part(a.source_key, '/', 2) as id,
    a.point_value as points
  from allotment a
  where a.source_key like any (array['hold/%', 'coupon/%', 'coupon_return/%'])) x
group by 1`;
const LATE = "select 'coupon/' || coupon_uid as id from coupon_use where is_late";

const DETAILS_MAX = 30;
const DRAIN_MS = 180_000;

/**
 * Waits until nothing is due any more: receipts are processed, coupons and reservations have ended, and the trusted receiver has all. Throws where
 * that takes too long.
 */
export async function drain(cluster: Pick<Cluster, "db">, trustedUid: string): Promise<void> {
  const until = performance.now() + DRAIN_MS;
  const waiting = `select count(*)::int as count from (
    select 1 from receipt where state in ('new', 'waiting', 'failed')
    union all select 1 from store_order where due_at is not null
    union all select 1 from coupon where state = 'open'
    union all select 1 from reservation where state = 'held'
    union all select 1 from (${UNACKNOWLEDGED}) d where d.subscription_uid = '${trustedUid}') w`;
  for (;;) {
    const [row] = await cluster.db.query<{ count: number }>(waiting);
    if (row?.count === 0) return;
    if (performance.now() > until)
      throw new Error(`${row?.count} receipts, deliveries, coupons or reservations still wait`);
    await delay(200);
  }
}

/** Compares the ledger with the journal. The nodes may run; nothing may be sent meanwhile. */
export async function audit(cluster: Pick<Cluster, "db" | "command">, journal: Journal): Promise<Findings> {
  const rows = await cluster.db.query<Row>(ALLOTMENTS);
  const details: string[] = [];
  const found = (what: string) => void (details.length < DETAILS_MAX && details.push(what));
  const calls = auditCalls(rows, journal, found);
  const points = await cluster.db.query<{ id: string; points: number }>(ORDER_POINTS);
  const orders = auditPoints("order", points, journal.orders(), found);
  const noted = rows.flatMap(({ note, points: of }) => (note === null ? [] : [{ id: note, points: of }]));
  const imported = auditPoints("row", noted, journal.rows(), found);
  const spendings = await auditSpendings(cluster, journal, found);
  for (const fault of journal.faults()) found(fault);
  const withPoints = rows.filter((row) => row.points !== 0);
  const feed = auditFeed(withPoints, journal, found);
  const due = new Set(withPoints.map((row) => row.uid));
  const told = journal.deliveries();
  const undelivered = [...due].filter((uid) => !told.has(uid));
  const phantoms = [...told.keys()].filter((uid) => !due.has(uid));
  for (const uid of undelivered) found(`never delivered: ${uid}`);
  for (const uid of phantoms) found(`delivered, not in the ledger: ${uid}`);
  const verified = await cluster.command("verify");
  const unverified = verified.code === 0 ? [] : verified.stdout.split("\n").filter((line) => line.startsWith("FAIL"));
  for (const line of unverified) found(line);
  if (verified.code !== 0) found(`verify: ${verified.code} ${verified.stderr} ${verified.stdout.slice(-2_000)}`);
  return {
    ...calls,
    orders: journal.orders().size,
    rows: journal.rows().size,
    spendings: journal.spendings().size,
    lost: calls.lost + orders.lost + imported.lost + spendings.lost,
    doubled: calls.doubled + orders.doubled + imported.doubled + spendings.doubled,
    faults: calls.faults + journal.faults().length,
    due: due.size,
    delivered: due.size - undelivered.length,
    undelivered: undelivered.length,
    phantom: phantoms.length,
    unsigned: journal.forged(),
    feed,
    unverified: verified.code === 0 ? 0 : Math.max(1, unverified.length),
    details,
  };
}

function auditCalls(rows: readonly Row[], journal: Journal, found: (what: string) => void) {
  const byNote = new Map<string, Row[]>();
  for (const row of rows) if (row.note !== null) byNote.set(row.note, [...(byNote.get(row.note) ?? []), row]);
  const byUid = new Map(rows.map((row) => [row.uid, row]));
  const counts = { acknowledged: 0, open: 0, lost: 0, doubled: 0, faults: 0 };
  for (const [mark, { call, outcome }] of journal.calls()) {
    const written = byNote.get(mark) ?? [];
    if (written.length > 1) {
      counts.doubled++;
      found(`${written.length} times: ${mark}`);
    }
    if (outcome.kind === "open") counts.open++;
    if (outcome.kind === "fault") {
      counts.faults++;
      found(`${mark}: ${outcome.status} ${outcome.text}`);
    }
    if (outcome.kind === "refused" && written.length > 0) {
      counts.doubled++;
      found(`refused and written: ${mark}`);
    }
    if (outcome.kind !== "acknowledged") continue;
    counts.acknowledged++;
    const { uid, points, balance } = outcome;
    const row = byUid.get(uid);
    const held = row === undefined ? 0 : row.balance - balance;
    const isBalance = row !== undefined && held >= 0 && held <= row.held;
    if (isBalance && row.points === points && row.customer === call.customer) continue;
    counts.lost++;
    found(`not in the ledger as answered: ${mark} ${JSON.stringify(outcome)}, but ${JSON.stringify(row ?? null)}`);
  }
  return counts;
}

/** Coupons and reservations, without those whose use was late. */
async function auditSpendings({ db }: Pick<Cluster, "db">, journal: Journal, found: (what: string) => void) {
  const rows = await db.query<{ id: string; points: number }>(SPENDINGS);
  const late = new Set((await db.query<{ id: string }>(LATE)).map(({ id }) => id));
  const expected = [...journal.spendings()].filter(([id]) => !late.has(id));
  return auditPoints("spending", rows, new Map(expected), found);
}

/** What each order, row of a file, coupon or reservation gave or took, in all its allotments, beside what it is worth. */
function auditPoints(
  what: string,
  rows: readonly { id: string; points: number }[],
  expected: ReadonlyMap<string, number>,
  found: (what: string) => void,
): { lost: number; doubled: number } {
  const sums = new Map<string, number>();
  for (const { id, points } of rows) sums.set(id, (sums.get(id) ?? 0) + points);
  let lost = 0;
  let doubled = 0;
  for (const [id, points] of expected) {
    const has = sums.get(id) ?? 0;
    if (has < points) lost++;
    if (has > points) doubled++;
    if (has !== points) found(`${what} ${id} has ${has} points, not ${points}`);
  }
  return { lost, doubled };
}
