import type { Queryable } from "../../db/pool.ts";
import type { ReadDeps } from "../../deps.ts";
import { withoutFaults } from "../../http/without-faults.ts";
import { selectFailingSubscriptions } from "../../webhooks/failures/failing-queries.ts";
import { PAGE_ROWS, pageOf, readAfter, timeUuidCursor } from "../list.ts";
import { readBounded } from "../read-bounded.ts";
import {
  type DeliveryPageQuery,
  type ListedDelivery,
  selectAcknowledged,
  selectByDue,
  selectByTime,
} from "./delivery-queries.ts";
import { readTimeRange } from "./read-time-range.ts";
import { selectDeliveredTopics, selectSubscriptionUids } from "./receiver-queries.ts";
import type { DeliveryPage, DeliveryQuery } from "./schema.ts";
import { topicsOf } from "./topic-filter.ts";
import { viewDelivery } from "./view.ts";

/**
 * Returns a page of stored deliveries: all by when they were written, done by when they were acknowledged, waiting by when they are due, failed by
 * when they failed; `since` and `until` refer to the same time. Throws `invalid` with the parameter at fault.
 */
export async function listDeliveries(
  deps: Pick<ReadDeps, "db">,
  query: DeliveryQuery,
  pageRows: number = PAGE_ROWS,
): Promise<DeliveryPage> {
  const range = await readTimeRange(deps.db, query);
  const { position } = withoutFaults(readAfter(query.after, timeUuidCursor));
  const pageQuery = { ...range, after: position, rows: pageRows + 1 };
  const found = await readBounded(deps, (tx) => read(tx, query, pageQuery));
  const { rows, next } = pageOf(found, (last) => timeUuidCursor.format({ at: last.at, id: last.atUid }), pageRows);
  return { data: rows.map(viewDelivery), next };
}

async function read(db: Queryable, query: DeliveryQuery, page: DeliveryPageQuery): Promise<ListedDelivery[]> {
  const topics = topicsOf(query.topic);
  switch (query.state) {
    case "waiting":
      return selectByDue(db, { state: "waiting", subscriptionUids: await selectSubscriptionUids(db, topics) }, page);
    case "failed": {
      const failing = await selectFailingSubscriptions(db, topics);
      return selectByDue(db, { state: "failed", subscriptionUids: failing.map(({ uid }) => uid) }, page);
    }
    case "done": {
      const delivered = await selectDeliveredTopics(db, topics);
      return delivered.length === 0 ? [] : selectAcknowledged(db, delivered, page);
    }
    default:
      return selectByTime(db, topics, page);
  }
}
