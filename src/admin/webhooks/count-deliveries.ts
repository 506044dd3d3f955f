import type { Queryable } from "../../db/pool.ts";
import { selectFailingSubscriptions } from "../../webhooks/failures/failing-queries.ts";
import { countAcknowledged, countByTime, countFailed, countWaitingDeliveries } from "./delivery-count-queries.ts";
import { readTimeRange } from "./read-time-range.ts";
import { selectDeliveredTopics, selectSubscriptionUids } from "./receiver-queries.ts";
import type { DeliveryFilterQuery } from "./schema.ts";
import { topicsOf } from "./topic-filter.ts";

/** Returns how many deliveries `listDeliveries` lists on all its pages, at most `COUNTED_MAX` plus one. Throws `invalid` with the parameter at fault. */
export async function countDeliveries(db: Queryable, query: DeliveryFilterQuery): Promise<number> {
  const range = await readTimeRange(db, query);
  const topics = topicsOf(query.topic);
  switch (query.state) {
    case "waiting":
      return countWaitingDeliveries(db, await selectSubscriptionUids(db, topics), range);
    case "failed": {
      const failing = await selectFailingSubscriptions(db, topics);
      return countFailed(
        db,
        failing.map(({ uid }) => uid),
        range,
      );
    }
    case "done": {
      const delivered = await selectDeliveredTopics(db, topics);
      return delivered.length === 0 ? 0 : countAcknowledged(db, delivered, range);
    }
    default:
      return countByTime(db, topics, range);
  }
}
