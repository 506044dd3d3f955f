import type { HomeData, HomeFlows } from "../../../src/admin/home/schema.ts";

type Flow = keyof HomeFlows;

/** What a flow is made of: the types of src/metrics/movement-category.ts, and which way they went. */
const FILTERS: Readonly<Record<Flow, { readonly type: string; readonly direction?: "earned" | "spent" }>> = {
  issued: { type: "fulfillment,tax,reward,api,flow", direction: "earned" },
  spent: { type: "fulfillment,tax,reward,api,flow", direction: "spent" },
  expired: { type: "expiration" },
  refunded: { type: "refund" },
  returned: { type: "coupon_reimbursement,coupon_cancellation" },
  adjusted: { type: "csv,manual,deletion" },
};

/** The allotments that a flow's figure is the sum of. */
export function flowLink(flow: Flow, { from, to }: Pick<HomeData, "from" | "to">): string {
  return ledgerLink({ ...FILTERS[flow], from, to });
}

/** All allotments of some days. */
export function ledgerLink(filters: Readonly<Record<string, string>>): string {
  return `/ledger?${new URLSearchParams(filters)}`;
}

export function tierLink(uid: string): string {
  return `/customers?${new URLSearchParams({ tier: uid })}`;
}
