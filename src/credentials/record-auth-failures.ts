import { recordAction } from "../audit/record-action.ts";
import type { Deps } from "../deps.ts";
import { hourOf, OTHER_ADDRESSES } from "./auth-failures.ts";

const KEPT_HOURS = 30 * 24;

/** Within an hour, an entry is due when the failures have doubled since the last one: entries are few and never late. */
const CLAIM_UNRECORDED = `with unrecorded as (
  select hour, address, failures - told as failures
  from api_auth_failure
  where told < failures
    and (hour < $1 or failures >= 2 * told)
  order by hour, address
  for update skip locked)
update api_auth_failure f
set told = f.failures
from unrecorded u
where f.hour = u.hour
  and f.address = u.address
returning u.hour, u.address, u.failures`;

interface UnrecordedFailures {
  readonly hour: Temporal.Instant;
  readonly address: string;
  readonly failures: bigint;
}

/**
 * Records the number of requests of unknown senders in the audit log, by hour and address, and deletes sums older than 30 days. Returns how many
 * entries were written.
 */
export async function recordAuthFailures(deps: Pick<Deps, "db" | "clock">): Promise<number> {
  const hour = hourOf(deps.clock.now());
  const recorded = await deps.db.tx(async (tx) => {
    const rows = await tx.query<UnrecordedFailures>(CLAIM_UNRECORDED, [hour]);
    for (const row of rows) await recordAction(tx, deps, actionOf(row));
    return rows.length;
  });
  await deps.db.execute("delete from api_auth_failure where hour < $1", [hour.subtract({ hours: KEPT_HOURS })]);
  return recorded;
}

function actionOf({ hour, address, failures }: UnrecordedFailures) {
  const isOthers = address === OTHER_ADDRESSES;
  return {
    action: "api.authentication_failed",
    subject: { kind: "api", id: isOthers ? "others" : address },
    after: { failures, hour: hour.toString(), ...(isOthers ? { addresses: "others" } : {}) },
    ...(isOthers ? {} : { address }),
  };
}
