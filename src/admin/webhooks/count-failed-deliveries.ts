import type { Deps } from "../../deps.ts";
import { selectFailingSubscriptions } from "../../webhooks/failing-queries.ts";
import { readSince } from "./read-since.ts";
import { countFailed } from "./receiver-queries.ts";
import { topicsOf } from "./topic-filter.ts";

/** How many deliveries `replayFailed` would send again, counted as `countFailed` does. Throws `invalid`. */
export async function countFailedDeliveries(
  deps: Pick<Deps, "db">,
  query: { readonly topic?: string; readonly since?: string },
): Promise<number> {
  const since = await readSince(deps.db, query.since);
  const failing = await selectFailingSubscriptions(deps.db, topicsOf(query.topic));
  const uids = failing.filter(({ nextUid }) => nextUid !== null).map(({ uid }) => uid);
  return Number(await countFailed(deps.db, uids, since));
}
