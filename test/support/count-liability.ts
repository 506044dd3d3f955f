import type { Db } from "../../src/db/pool.ts";

interface Part {
  readonly customerUid: string;
  readonly version: bigint;
  readonly since: Temporal.Instant;
  readonly origin: string | null;
  readonly points: bigint;
}

interface Entry {
  readonly customerUid: string;
  readonly version: bigint;
  readonly allottedAt: Temporal.Instant;
  readonly type: string;
  readonly pointValue: bigint;
  readonly sourceKey: string;
}

export interface LiabilityCount {
  readonly month: number;
  readonly cohort: number;
  readonly origin: string;
  readonly kind: string;
  readonly points: bigint;
  /** Those of origin sale whose start is not the time of an award to the customer or to one who was merged with them. */
  readonly unpriced: bigint;
}

const ALLOTMENTS = `select customer_uid as "customerUid", version, allotted_at as "allottedAt", type, point_value as "pointValue",
  source_key as "sourceKey" from allotment`;
const TAKEN = `select customer_uid as "customerUid", by_version as version, lot_since as since, lot_origin as origin, points from draw`;
const DRAWN = `select customer_uid as "customerUid", lot_version as version, lot_since as since, lot_origin as origin, points from draw`;
const LEFT = `select customer_uid as "customerUid", version, since, origin, remaining as points from lot`;
const COUNTED = `select month, cohort, origin, kind, sum(points)::text as points, sum(unpriced)::text as unpriced
  from liability_sum group by 1, 2, 3, 4`;
const PEOPLE = `select customer_uid as "customerUid", coalesce(merged_into, customer_uid) as person from balance`;

/**
 * The sums of the liability, and the same sums computed directly from the ledger: a deduction counts by its draws, given points by what is left of
 * them and what was drawn from them. `owed` and `lots`: the remaining points by month of issue and origin, by the sums and by the lots.
 */
export async function countLiability(db: Db, timeZone: string) {
  const entries = await db.query<Entry>(ALLOTMENTS);
  const [taken, drawn, left] = await Promise.all([db.query<Part>(TAKEN), db.query<Part>(DRAWN), db.query<Part>(LEFT)]);
  const takenBy = Map.groupBy(taken, keyOf);
  const givenBy = Map.groupBy([...drawn, ...left], keyOf);
  const people = new Map(
    (await db.query<{ customerUid: string; person: string }>(PEOPLE)).map((row) => [row.customerUid, row.person]),
  );
  const startOf = (customerUid: string, at: Temporal.Instant) => `${people.get(customerUid)} ${at}`;
  const awards = new Set(
    entries
      .filter(({ type }) => type === "fulfillment")
      .map(({ customerUid, allottedAt }) => startOf(customerUid, allottedAt)),
  );
  const unpricedOf = ({ customerUid, since, origin, points }: Part) =>
    origin === "sale" && !awards.has(startOf(customerUid, since)) ? points : 0n;
  const expected = new Map<string, LiabilityCount>();
  const monthOf = (at: Temporal.Instant) => {
    const { year, month } = at.toZonedDateTimeISO(timeZone);
    return year * 12 + month - 1;
  };
  for (const entry of entries) {
    const kind = kindOf(entry);
    for (const part of (entry.pointValue > 0n ? givenBy : takenBy).get(keyOf(entry)) ?? []) {
      add(expected, {
        month: monthOf(entry.allottedAt),
        cohort: monthOf(part.since),
        origin: part.origin ?? "unstated",
        ...{ kind, points: part.points, unpriced: unpricedOf(part) },
      });
    }
  }
  const counted = await db.query<Omit<LiabilityCount, "points" | "unpriced"> & { points: string; unpriced: string }>(
    COUNTED,
  );
  const lots = new Map<string, LiabilityCount>();
  for (const part of left) {
    const { since, origin, points } = part;
    const unpriced = unpricedOf(part);
    add(lots, { month: 0, cohort: monthOf(since), origin: origin ?? "unstated", kind: "", points, unpriced });
  }
  const owed = new Map<string, LiabilityCount>();
  for (const { cohort, origin, kind, points, unpriced } of counted) {
    const sign = ["issued", "returned", "restored", "moved_in"].includes(kind) ? 1n : -1n;
    const moved = { points: sign * BigInt(points), unpriced: sign * BigInt(unpriced) };
    add(owed, { month: 0, cohort, origin, kind: "", ...moved });
  }
  return {
    counted: sorted(counted.map((row) => ({ ...row, points: BigInt(row.points), unpriced: BigInt(row.unpriced) }))),
    expected: sorted(expected.values()),
    owed: sorted([...owed.values()].filter(({ points }) => points !== 0n)),
    lots: sorted(lots.values()),
  };
}

function keyOf({ customerUid, version }: { readonly customerUid: string; readonly version: bigint }): string {
  return `${customerUid}/${version}`;
}

function add(counts: Map<string, LiabilityCount>, count: LiabilityCount): void {
  const key = nameOf(count);
  const known = counts.get(key);
  const points = count.points + (known?.points ?? 0n);
  counts.set(key, { ...count, points, unpriced: count.unpriced + (known?.unpriced ?? 0n) });
}

function nameOf({ month, cohort, origin, kind }: LiabilityCount): string {
  return `${month} ${cohort} ${origin} ${kind}`;
}

function sorted(counts: Iterable<LiabilityCount>): LiabilityCount[] {
  return [...counts].sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function kindOf({ type, pointValue, sourceKey }: Entry): string {
  const isGain = pointValue > 0n;
  if (sourceKey.startsWith("merge/")) return isGain ? "moved_in" : "moved_out";
  if (type.startsWith("coupon_")) return "returned";
  if (type === "expiration") return "expired";
  if (type === "deletion") return "forfeited";
  if (isGain && (sourceKey.startsWith("undo/") || sourceKey.startsWith("csv_undo/"))) return "restored";
  if (isGain) return "issued";
  if (type === "api" || type === "flow") return "redeemed";
  return type === "csv" || type === "manual" ? "corrected" : "taken_back";
}
