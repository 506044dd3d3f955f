import type { Deps } from "../../deps.ts";
import { bucketOf } from "../../ledger/customer-ref.ts";
import { readSettledMark } from "../../ledger/settled-mark/read-settled-mark.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { tierName } from "../../tiers/evaluation-plan.ts";
import { type FedTierChange, selectFedTierChanges } from "../../tiers/tier-queries.ts";
import { customerIdName } from "../../webhooks/payload-fields.ts";
import { pointAllotmentCascade } from "../../webhooks/topics/point-allotment-cascade.ts";
import { cursorOf, positionOf } from "../allotments/position-cursor.ts";
import { FIRST_POSITION, LAST_UID, type Position, selectBetween } from "../allotments/queries.ts";
import type { AllotmentRow } from "../allotments/view.ts";
import type { AllotmentEvent, ChangeEventPage, TierEvent } from "./change-event.ts";
import { isAfter } from "./feed-order.ts";
import { tierChangeEvent } from "./tier-change-event.ts";

const CUSTOMERS = `select customer_uid as uid, storefront_id as "storefrontId"
from customer
where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

const BALANCES = `select uid, balance_after as "balanceAfter"
from allotment
where (bucket, customer_uid, version) in (select * from unnest($1::smallint[], $2::uuid[], $3::bigint[]))`;

/** The parameters of a request of the feed. */
export interface FeedQuery {
  readonly cursor?: string | undefined;
  readonly limit?: number | undefined;
  /** Whether changes of tiers are events too. */
  readonly hasTiers?: boolean | undefined;
}

/** An allotment, or a change of a tier, at its place. */
interface FeedRow extends Position {
  readonly customerUid: string;
  readonly allotment?: AllotmentRow;
  readonly change?: FedTierChange;
}

/**
 * Returns the events after a cursor, oldest first: one for each allotment with points, and one for each change of a tier if they are asked for. The
 * order in which they committed does not matter, because no event after the settled mark is shown. `start` is before the first event, `now` is the
 * settled mark. Throws 422 for a cursor that cannot be parsed.
 */
export async function listEvents(deps: Deps, query: FeedQuery): Promise<ChangeEventPage> {
  const limit = query.limit ?? 100;
  const { settledAt } = await readSettledMark(deps);
  const settled = settledAt === null ? FIRST_POSITION : { allottedAt: settledAt, uid: LAST_UID };
  const after = startOf(query.cursor ?? "start", settled);
  const [allotments, changes] = await Promise.all([
    selectBetween(deps.db, { type: null, after, before: settled }, "asc", limit + 1),
    query.hasTiers === true ? selectChanges(deps, { after, before: settled }, limit + 1) : [],
  ]);
  const found = merged(allotments, changes);
  const rows = found.slice(0, limit);
  return {
    events: await eventsOf(deps, rows),
    hasMore: found.length > limit,
    nextCursor: cursorOf(rows.at(-1) ?? after),
  };
}

function selectChanges({ db }: Deps, { after, before }: { after: Position; before: Position }, limit: number) {
  const range = { after: { at: after.allottedAt, uid: after.uid }, before: { at: before.allottedAt, uid: before.uid } };
  return selectFedTierChanges(db, range, "asc", limit);
}

/** Both in one order. */
function merged(allotments: readonly AllotmentRow[], changes: readonly FedTierChange[]): readonly FeedRow[] {
  const rows: FeedRow[] = [
    ...allotments.map((allotment) => ({ ...placeOf(allotment.allottedAt, allotment), allotment })),
    ...changes.map((change) => ({ ...placeOf(change.fedAt, change), change })),
  ];
  return changes.length === 0 ? rows : rows.toSorted((a, b) => (isAfter(a, b) ? 1 : -1));
}

function placeOf(allottedAt: Temporal.Instant, { uid, customerUid }: { uid: string; customerUid: string }) {
  return { allottedAt, uid, customerUid };
}

async function eventsOf(deps: Deps, rows: readonly FeedRow[]): Promise<(AllotmentEvent | TierEvent)[]> {
  const uids = [...new Set(rows.map(({ customerUid }) => customerUid))];
  const customers = await deps.db.query<{ uid: string; storefrontId: string }>(CUSTOMERS, [uids.map(bucketOf), uids]);
  const ids = new Map(customers.map(({ uid, storefrontId }) => [uid, storefrontId]));
  const idField = customerIdName(deps.config.platform);
  const customerOf = ({ customerUid }: FeedRow) => ({ customerId: ids.get(customerUid) ?? customerUid, idField });
  const withPoints = rows.flatMap(({ allotment }) => allotment ?? []).filter(({ pointValue }) => pointValue !== 0n);
  const balances = await readBalances(deps, withPoints);
  const { tiers } = await readProgram(deps.db);
  const nameOf = (uid: string | null) => (uid === null ? null : tierName(uid, tiers));
  return rows.flatMap((row): (AllotmentEvent | TierEvent)[] => {
    const { allotment, change } = row;
    const cursor = cursorOf(row);
    if (change !== undefined) {
      const [fromName, toName] = [change.fromName ?? nameOf(change.fromUid), change.toName ?? nameOf(change.toUid)];
      const payload = tierChangeEvent.payload({ ...change, fromName, toName, ...customerOf(row) });
      return [{ cursor, topic: tierChangeEvent.name, payload }];
    }
    if (allotment === undefined || allotment.pointValue === 0n) return [];
    const payload = pointAllotmentCascade.payload({ ...allotment, ...customerOf(row) });
    const { version, uid } = allotment;
    return [{ cursor, topic: pointAllotmentCascade.name, version, balanceAfter: balances.get(uid) ?? 0n, payload }];
  });
}

const FEED_CURSOR_FAULT = {
  parameter: "cursor",
  detail: "expected start, now, or a next_cursor of this list; in Last-Event-ID the id of an event",
};

function startOf(cursor: string, settled: Position): Position {
  if (cursor === "start") return FIRST_POSITION;
  const at = cursor === "now" ? settled : positionOf(cursor);
  if (at === undefined) throw new Problem("invalid", { faults: [FEED_CURSOR_FAULT] });
  return at;
}

async function readBalances({ db }: Deps, rows: readonly AllotmentRow[]): Promise<Map<string, bigint>> {
  if (rows.length === 0) return new Map();
  const uids = rows.map(({ customerUid }) => customerUid);
  const found = await db.query<{ uid: string; balanceAfter: bigint }>(BALANCES, [
    uids.map(bucketOf),
    uids,
    rows.map(({ version }) => version),
  ]);
  return new Map(found.map(({ uid, balanceAfter }) => [uid, balanceAfter]));
}
