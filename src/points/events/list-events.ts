import type { Deps } from "../../deps.ts";
import { bucketOf } from "../../ledger/customer-ref.ts";
import { readSettledMark } from "../../ledger/read-settled-mark.ts";
import { Problem } from "../../problems.ts";
import { customerIdName } from "../../webhooks/payload-fields.ts";
import { pointAllotmentCascade } from "../../webhooks/topics/point-allotment-cascade.ts";
import { cursorOf, positionOf } from "../allotments/position-cursor.ts";
import { FIRST_POSITION, LAST_UID, type Position, selectBetween } from "../allotments/queries.ts";
import type { AllotmentRow } from "../allotments/view.ts";
import type { ChangeEventPage } from "./change-event.ts";

const CUSTOMERS = `select customer_uid as uid, storefront_id as "storefrontId"
from customer
where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

const BALANCES = `select uid, balance_after as "balanceAfter"
from allotment
where (bucket, customer_uid, version) in (select * from unnest($1::smallint[], $2::uuid[], $3::bigint[]))`;

/**
 * Returns the events after a cursor, oldest first: one for each allotment with points. The order in which they committed does not matter,
 * because no event after the settled mark is shown. `start` is before the first event, `now` is the settled mark. Throws 422 for a cursor
 * that cannot be parsed.
 */
export async function listEvents(
  deps: Deps,
  query: { cursor?: string | undefined; limit?: number | undefined },
): Promise<ChangeEventPage> {
  const limit = query.limit ?? 100;
  const { settledAt } = await readSettledMark(deps);
  const settled = settledAt === null ? FIRST_POSITION : { allottedAt: settledAt, uid: LAST_UID };
  const after = startOf(query.cursor ?? "start", settled);
  const found = await selectBetween(deps.db, { type: null, after, before: settled }, "asc", limit + 1);
  const rows = found.slice(0, limit);
  const uids = [...new Set(rows.map(({ customerUid }) => customerUid))];
  const customers = await deps.db.query<{ uid: string; storefrontId: string }>(CUSTOMERS, [uids.map(bucketOf), uids]);
  const shown = rows.filter(({ pointValue }) => pointValue !== 0n);
  const balances = await readBalances(deps, shown);
  const ids = new Map(customers.map(({ uid, storefrontId }) => [uid, storefrontId]));
  const idField = customerIdName(deps.config.platform);
  const events = shown.map((row) => ({
    cursor: cursorOf(row),
    version: row.version,
    balanceAfter: balances.get(row.uid) ?? 0n,
    payload: pointAllotmentCascade.payload({
      ...row,
      customerId: ids.get(row.customerUid) ?? row.customerUid,
      idField,
    }),
  }));
  return { events, hasMore: found.length > limit, nextCursor: cursorOf(rows.at(-1) ?? after) };
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
