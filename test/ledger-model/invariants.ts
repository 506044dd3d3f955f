import type { Queryable } from "../../src/db/pool.ts";

/** What the tables say of one customer, as it stands there. */
export interface Stored {
  readonly points: bigint;
  readonly version: bigint;
  readonly allotments: { version: bigint; value: bigint; after: bigint; at: Temporal.Instant; type: string }[];
  readonly lots: {
    version: bigint;
    part: number;
    left: bigint;
    date: Temporal.Instant | null;
    since: Temporal.Instant;
  }[];
  readonly draws: { by: bigint; lot: bigint; part: number; points: bigint }[];
}

/** Reads the tables of the customers with queries of the test's own. */
export async function readStored(db: Queryable, customerUids: readonly string[]): Promise<Map<string, Stored>> {
  const [balances, allotments, lots, draws] = await Promise.all([
    db.query<{ uid: string; points: bigint; version: bigint }>(
      "select customer_uid as uid, ledger_points as points, version from balance where customer_uid = any($1)",
      [customerUids],
    ),
    db.query<Stored["allotments"][number] & { uid: string }>(
      `select customer_uid as uid, version, point_value as value, balance_after as after, allotted_at as at, type
       from allotment where customer_uid = any($1) order by customer_uid, version`,
      [customerUids],
    ),
    db.query<Stored["lots"][number] & { uid: string }>(
      `select customer_uid as uid, version, part, remaining as left, expires_at as date, since
       from lot where customer_uid = any($1)`,
      [customerUids],
    ),
    db.query<Stored["draws"][number] & { uid: string }>(
      `select customer_uid as uid, by_version as by, lot_version as lot, part, points from draw where customer_uid = any($1)`,
      [customerUids],
    ),
  ]);
  const of = <Row extends { uid: string }>(rows: Row[], uid: string) => rows.filter((row) => row.uid === uid);
  return new Map(
    balances.map(({ uid, points, version }) => [
      uid,
      { points, version, allotments: of(allotments, uid), lots: of(lots, uid), draws: of(draws, uid) },
    ]),
  );
}

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n);

/** Every fault of a customer's rows against program.md 3, in words; none: they hold. */
export function faultsOf(stored: Stored): string[] {
  const faults: string[] = [];
  const { allotments, lots, draws } = stored;
  const total = sum(allotments.map((a) => a.value));
  if (stored.points !== total) faults.push(`balance ${stored.points}, allotments ${total}`);
  if (total < 0n) faults.push(`negative: ${total}`);
  if (total !== sum(lots.map((lot) => lot.left))) faults.push("the lots do not hold the balance");
  if (stored.version !== BigInt(allotments.length)) faults.push(`version ${stored.version} of ${allotments.length}`);
  let running = 0n;
  for (const [i, allotment] of allotments.entries()) {
    running += allotment.value;
    if (allotment.version !== BigInt(i + 1)) faults.push(`a gap before version ${allotment.version}`);
    if (allotment.after !== running)
      faults.push(`version ${allotment.version}: ${allotment.after} after it, not ${running}`);
    const before = allotments[i - 1];
    if (before !== undefined && Temporal.Instant.compare(before.at, allotment.at) >= 0)
      faults.push(`time of ${allotment.version}`);
    const drawn = sum(draws.filter((draw) => draw.by === allotment.version).map((draw) => draw.points));
    if (drawn !== (allotment.value < 0n ? -allotment.value : 0n))
      faults.push(`version ${allotment.version} drew ${drawn}`);
    const held = sum(lots.filter((lot) => lot.version === allotment.version).map((lot) => lot.left));
    const used = sum(draws.filter((draw) => draw.lot === allotment.version).map((draw) => draw.points));
    if (held + used !== (allotment.value > 0n ? allotment.value : 0n))
      faults.push(`lots of version ${allotment.version}`);
  }
  return faults;
}
