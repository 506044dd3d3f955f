import type { Queryable } from "../../db/pool.ts";
import { BALANCE_COLUMNS } from "../balance-queries.ts";
import { compareInstants } from "../compare-instants.ts";
import type { CustomerRef } from "../customer-ref.ts";
import { type Expiry, type ExpiryRules, upcomingExpiries } from "../expiry/expiry.ts";
import type { Lot } from "../lots/lots.ts";
import type { CustomerLedger } from "../posting.ts";
import { type CurrentBalance, currentBalance } from "./balance-snapshot.ts";

/** SQL for the quarter of an hour that contains a time, and whether the time is its beginning: days begin only there, so all times of one expire alike. */
const quarterOf = (time: string) =>
  `date_bin('15 minutes', ${time}, 'epoch'), ${time} = date_bin('15 minutes', ${time}, 'epoch')`;

/** SQL for the time from which a lot's date counts: its own date, or the start of its computed one; $4: dates slide with activity. */
const DATED_BY = `case when l.expires_at < 'infinity' then l.expires_at
      when $4 then greatest(l.since, b.active_at)
      else l.since
    end`;

// Lots that expire together are one row: a customer may have 100,000. While a hold is over and not released yet, each lot is one: those that it kept
// beyond their date get another one, as wholes. One statement, so that balance, lots and holds are from one moment.
const READ_GROUPED = `select ${BALANCE_COLUMNS},
  p.hold,
  p.version as "lotVersion",
  p.part,
  p.remaining,
  p.expires_at as "expiresAt",
  p.since
from balance b
left join lateral (
  select null::uuid as hold, min(l.version) as version, min(l.part) as part, sum(l.remaining)::bigint as remaining,
    min(l.expires_at) as expires_at, min(l.since) as since
  from (
    select l.*, ${DATED_BY} as dated_by
    from lot l
    where l.bucket = $1 and l.customer_uid = b.customer_uid) l
  group by l.expires_at < 'infinity',
    ${quarterOf("l.dated_by")},
    case when b.held_until <= $3 then l.version end,
    case when b.held_until <= $3 then l.part end
  union all
  select r.uid, 0, 0, r.point_value, r.expires_at, r.held_at
  from reservation r
  where r.bucket = $1 and r.customer_uid = b.customer_uid and r.state = 'held' and r.expires_at <= $3) p on true
where b.bucket = $1
  and b.customer_uid = $2
order by p.expires_at, p.since`;

/** `remaining` null: the balance has no lots and no hold that is over. */
interface PartRow extends CustomerLedger {
  readonly hold: string | null;
  readonly lotVersion: bigint;
  readonly part: number;
  readonly remaining: bigint | null;
  readonly expiresAt: Temporal.Instant | null;
  readonly since: Temporal.Instant;
}

/** A balance as a posting would find it, without its lots, and when its points expire. */
export interface UpcomingBalance extends Pick<CurrentBalance, "ledger" | "expiresAt"> {
  /** Soonest first. */
  readonly expiries: readonly Expiry[];
}

/**
 * Returns a balance and its expiries as of `now`, whether or not the sweeps have run: what `readCurrentBalance` and `upcomingExpiries` return,
 * without reading each lot by itself. Undefined: there is no balance.
 */
export async function readUpcoming(
  queryable: Queryable,
  { bucket, customerUid }: CustomerRef,
  rules: ExpiryRules,
  now: Temporal.Instant,
): Promise<UpcomingBalance | undefined> {
  const rows = await queryable.query<PartRow>(READ_GROUPED, [bucket, customerUid, now, rules.mode === "sliding"]);
  const [before] = rows;
  if (before === undefined) return undefined;
  const isEach = before.heldUntil !== null && compareInstants(before.heldUntil, now) <= 0;
  const lots = rows.flatMap((row, place) => toLot(row, isEach ? row : { lotVersion: 0n, part: place }));
  const holdEnds = rows.flatMap(({ hold: uid, remaining: points, expiresAt: at }) =>
    uid === null || points === null || at === null ? [] : [{ uid, points, captured: 0n, at }],
  );
  holdEnds.sort((a, b) => Temporal.Instant.compare(a.at, b.at));
  const current = currentBalance({ before, lots, holdEnds }, rules, now);
  return {
    ledger: current.ledger,
    expiresAt: current.expiresAt,
    expiries: upcomingExpiries({ ...current.ledger, lots: current.lots }, rules, now),
  };
}

/** Lots that expire together have no version of their own; any that tells them apart does. */
function toLot({ hold, remaining, expiresAt, since }: PartRow, name: Pick<PartRow, "lotVersion" | "part">): Lot[] {
  if (hold !== null || remaining === null) return [];
  return [{ version: name.lotVersion, part: name.part, remaining, expiresAt, since, extends: false, origin: null }];
}
