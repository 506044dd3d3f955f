import type { Queryable } from "../db/pool.ts";
import { startOfDay } from "../time/store-time.ts";
import type { BenefitKind, BenefitOutcome } from "../wire/benefits.ts";
import { HOURS_TO_ORDER } from "./benefit-queries.ts";

/** A coupon or reward in a list, with its customer in the form in which pages show one. */
export interface ListedBenefit {
  readonly at: Temporal.Instant;
  readonly customerUid: string;
  readonly points: bigint;
  readonly isUsed: boolean;
  readonly hasOrder: boolean;
  readonly customerId: string | null;
  readonly customerName: string | null;
  readonly customerEmail: string | null;
}

export interface BenefitListQuery {
  readonly kind: BenefitKind;
  /** Undefined: all outcomes. */
  readonly outcome: BenefitOutcome | undefined;
  readonly from: Temporal.Instant;
  /** Exclusive. */
  readonly until: Temporal.Instant;
  /** The last entry of the previous page; null for the first page. */
  readonly after: { readonly at: Temporal.Instant; readonly id: string } | null;
  readonly rows: number;
}

const OUTCOMES: Readonly<Record<BenefitOutcome, string>> = {
  used: "\n    and is_used",
  ordered: "\n    and has_order",
};

// Each outcome has its own index in this order, so a page reads only its own rows.
const listedSql = (outcome: BenefitOutcome | undefined) => `select g.at,
  g.customer_uid as "customerUid",
  g.points,
  g.is_used as "isUsed",
  g.has_order as "hasOrder",
  c.storefront_id as "customerId",
  c.name as "customerName",
  c.email as "customerEmail"
from (
  select *
  from growth_benefit
  where kind = $1
    and at >= $2
    and (at, customer_uid) < ($3, $4)${outcome === undefined ? "" : OUTCOMES[outcome]}
  order by at desc, customer_uid desc
  limit $5) g
left join customer c on c.bucket = g.bucket and c.customer_uid = g.customer_uid
order by g.at desc, g.customer_uid desc`;

const FIRST_UID = "00000000-0000-0000-0000-000000000000";

/** A page of the coupons or rewards of a period, newest first. */
export function selectListedBenefits(queryable: Queryable, query: BenefitListQuery): Promise<ListedBenefit[]> {
  const { kind, outcome, from, until, after, rows } = query;
  const { at, id } = after ?? { at: until, id: FIRST_UID };
  return queryable.query<ListedBenefit>(listedSql(outcome), [kind, from, at, id, rows]);
}

/** Benefits given before this instant have had their full time for an order. It is the start of a day, because the sums are by day. */
export function decidedBefore(now: Temporal.Instant, timeZone: string): Temporal.Instant {
  return startOfDay(now.subtract({ hours: HOURS_TO_ORDER }), timeZone);
}
