import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type CustomerRef, refKeys } from "../ledger/customer-ref.ts";
import { readBalances } from "../ledger/read/read-balances.ts";
import type { Program } from "../program/program.ts";
import { presentTier } from "../tiers/tier-update.ts";
import type { CustomerStanding } from "./message-values.ts";

const TIERS = `select t.customer_uid as "customerUid", t.tier_uid as "tierUid"
from unnest($1::smallint[], $2::uuid[]) as w (bucket, customer_uid)
join customer_tier t on t.bucket = w.bucket and t.customer_uid = w.customer_uid`;

/** The present balances and tiers of customers, by uid. */
export async function readStandings(
  queryable: Queryable,
  deps: Pick<Deps, "clock">,
  refs: readonly CustomerRef[],
  { tiers }: Program,
): Promise<Map<string, CustomerStanding>> {
  const [balances, rows] = await Promise.all([
    readBalances(deps, queryable, refs),
    queryable.query<{ customerUid: string; tierUid: string | null }>(TIERS, refKeys(refs)),
  ]);
  const tierOf = new Map(rows.map(({ customerUid, tierUid }) => [customerUid, tierUid]));
  return new Map(
    refs.map(({ customerUid }) => {
      const tier = presentTier(tiers.rules, tierOf.get(customerUid) ?? null).name;
      return [customerUid, { points: balances.get(customerUid)?.points ?? 0n, tier }];
    }),
  );
}
