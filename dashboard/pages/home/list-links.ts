import type { HomeData, HomeFlows } from "../../../src/admin/home/schema.ts";

type Flow = keyof HomeFlows;

/** The filters of a flow: the types of src/metrics/movement-category.ts, and the direction. */
const FILTERS: Readonly<Record<Flow, { readonly type: string; readonly direction?: "earned" | "spent" }>> = {
  issued: { type: "fulfillment,tax,reward,api,flow", direction: "earned" },
  spent: { type: "fulfillment,tax,reward,api,flow", direction: "spent" },
  expired: { type: "expiration" },
  refunded: { type: "refund" },
  returned: { type: "coupon_reimbursement,coupon_cancellation" },
  adjusted: { type: "csv,manual,deletion" },
};

/** Returns a link to the allotments that a flow's figure sums. */
export function flowLink(flow: Flow, { from, to }: Pick<HomeData, "from" | "to">): string {
  return ledgerLink({ ...FILTERS[flow], from, to });
}

/** Returns a link to all allotments of some days. */
export function ledgerLink(filters: Readonly<Record<string, string>>): string {
  return `/ledger?${new URLSearchParams(filters)}`;
}

export function tierLink(uid: string): string {
  return `/customers?${new URLSearchParams({ tier: uid })}`;
}

/** Returns a link to the customers with points activity, as a segment that is not saved yet. */
export function activeLink(name: string): string {
  return `/segments/new?${new URLSearchParams({ active_within_days: "30", name })}`;
}

/** The same for the customers who lapse, whom Growth counts, too. */
export function lapsingLink(name: string): string {
  return `/segments/new?${new URLSearchParams({ activity: "lapsing", name })}`;
}
