import type { Queryable } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { readProgram } from "../../program/read-program.ts";
import { selectFailingSubscriptions } from "../../webhooks/failing-queries.ts";
import { readBounded } from "../read-bounded.ts";
import {
  type DeliveryFacts,
  type PageWish,
  selectAcknowledged,
  selectByDue,
  selectByTime,
} from "./delivery-queries.ts";
import { parsePosition, positionText } from "./position.ts";
import { selectSubscriptionUids, selectToldTopics } from "./receiver-queries.ts";
import type { DeliveryPage, DeliveryQuery } from "./schema.ts";
import { parseTimeRange } from "./time-range.ts";
import { topicsOf } from "./topic-filter.ts";
import { viewDelivery } from "./view.ts";

const PAGE_ROWS = 50;

/**
 * A page of deliveries of the last 30 days: all by when they were written, done by when they were acknowledged, waiting by when they are
 * due, failed by when they failed; `since` and `until` mean the same time. Throws `invalid` with the parameter at fault.
 */
export async function listDeliveries(deps: Pick<Deps, "db">, query: DeliveryQuery): Promise<DeliveryPage> {
  const { store } = await readProgram(deps.db);
  const range = parseTimeRange(query, store.timeZone);
  if ("faults" in range) throw new Problem("invalid", range);
  const after = query.after === undefined ? null : parsePosition(query.after);
  if (after === null && query.after !== undefined) {
    throw new Problem("invalid", { faults: [{ parameter: "after", detail: "expected a `next` of this list" }] });
  }
  const wish = { ...range, after, rows: PAGE_ROWS + 1 };
  const found = await readBounded(deps, (tx) => read(tx, query, wish));
  const page = found.slice(0, PAGE_ROWS);
  const last = found.length > PAGE_ROWS ? page.at(-1) : undefined;
  return {
    data: page.map(viewDelivery),
    next: last === undefined ? null : positionText({ at: last.at, uid: last.atUid }),
  };
}

async function read(db: Queryable, query: DeliveryQuery, wish: PageWish): Promise<DeliveryFacts[]> {
  const topics = topicsOf(query.topic);
  switch (query.state) {
    case "waiting":
      return selectByDue(db, { state: "waiting", subscriptionUids: await selectSubscriptionUids(db, topics) }, wish);
    case "failed": {
      const failing = await selectFailingSubscriptions(db, topics);
      return selectByDue(db, { state: "failed", subscriptionUids: failing.map(({ uid }) => uid) }, wish);
    }
    case "done": {
      const told = await selectToldTopics(db, topics);
      return told.length === 0 ? [] : selectAcknowledged(db, told, wish);
    }
    default:
      return selectByTime(db, topics, wish);
  }
}
