import type { Deps } from "../../deps.ts";
import { bucketOf } from "../../ledger/customer-ref.ts";
import { readSettledMark } from "../../ledger/read-settled-mark.ts";
import { Problem } from "../../problems.ts";
import { customerIdName } from "../../webhooks/payload-fields.ts";
import { pointAllotmentCascade } from "../../webhooks/topics/point-allotment-cascade.ts";
import { CURSOR_FAULT, cursorOf, positionOf } from "../allotments/position-cursor.ts";
import { FIRST_POSITION, LAST_UID, type Position, selectBetween } from "../allotments/queries.ts";
import type { AllotmentRow } from "../allotments/view.ts";

export interface ChangeEvent {
  /** Where to read on after this event. */
  readonly cursor: string;
  readonly version: bigint;
  /** The body of the webhook, as JSON text. */
  readonly payload: string;
}

export interface ChangeEventPage {
  readonly events: readonly ChangeEvent[];
  readonly hasMore: boolean;
  readonly nextCursor: string;
}

const CUSTOMERS = `select customer_uid as uid, storefront_id as "storefrontId"
from customer
where (bucket, customer_uid) in (select * from unnest($1::smallint[], $2::uuid[]))`;

/**
 * Returns the events after a cursor, oldest first: one for each allotment with points, whatever order they committed in, because none
 * after the settled mark is shown. `start` is before the first, `now` is the settled mark. 422 for a cursor that cannot be read.
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
  const ids = new Map(customers.map(({ uid, storefrontId }) => [uid, storefrontId]));
  const idField = customerIdName(deps.config.platform);
  const events = rows
    .filter(({ pointValue }) => pointValue !== 0n)
    .map((row) => eventOf(row, ids.get(row.customerUid) ?? row.customerUid, idField));
  return { events, hasMore: found.length > limit, nextCursor: cursorOf(rows.at(-1) ?? after) };
}

function startOf(cursor: string, settled: Position): Position {
  if (cursor === "start") return FIRST_POSITION;
  const at = cursor === "now" ? settled : positionOf(cursor);
  if (at === undefined) throw new Problem("invalid", { faults: [CURSOR_FAULT] });
  return at;
}

function eventOf(row: AllotmentRow, customerId: string, idField: string): ChangeEvent {
  const payload = pointAllotmentCascade.payload({ ...row, customerId, idField });
  return { cursor: cursorOf(row), version: row.version, payload };
}
