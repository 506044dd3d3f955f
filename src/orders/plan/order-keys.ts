import type { RefundFact } from "../../platforms/neutral-events.ts";

/**
 * Returns the natural keys of a line's share of a shipment (program.md 3), goods and tax. They contain the order, because a platform's ids
 * may be unique only within their order. `formerKeys`: the form without the order, under which the share may have been posted earlier.
 */
export function shipmentKeys(
  orderId: string,
  fulfillmentId: string,
  lineId: string,
): { readonly goodsKey: string; readonly taxKey: string; readonly formerKeys: readonly string[] } {
  const id = joined(orderId, fulfillmentId, lineId);
  const former = joined(fulfillmentId, lineId);
  return { goodsKey: `fulfillment/${id}`, taxKey: `tax/${id}`, formerKeys: [`fulfillment/${former}`, `tax/${former}`] };
}

/** Whether a cause is a share of a shipment in the form without the order, which two orders could share. */
export function isFormerShipmentCause(cause: string): boolean {
  return /^(fulfillment|tax)\/[^/]*\/[^/]*$/.test(cause);
}

/**
 * Returns the natural keys of a line that no fulfilment names, goods and tax: under award on payment (`paid`), or for an order that is
 * fulfilled as a whole.
 */
export function lineKeys(
  kind: string,
  orderId: string,
  lineId: string,
): { readonly goodsKey: string; readonly taxKey: string } {
  const goodsKey = `${kind}/${joined(orderId, lineId)}`;
  return { goodsKey, taxKey: `${goodsKey}/tax` };
}

/** Returns the natural key of the points that a refund takes back. */
export function refundKey(orderId: string, { refundId }: RefundFact): string {
  return `refund/${joined(orderId, refundId)}`;
}

/** Returns both forms of the key that a refund may have among the causes that are stored with its order, the present one first. */
export function refundKeys(orderId: string, refund: RefundFact): readonly string[] {
  return [refundKey(orderId, refund), `refund/${refund.refundId}`];
}

/** Whether a cause stored with the refund's own order is this refund, in either form of its key. */
export function isRefundCause(cause: string, orderId: string, refund: RefundFact): boolean {
  return refundKeys(orderId, refund).includes(cause);
}

/** Joins ids to one key. A slash within an id is escaped, so that no two lists of ids have the same key. */
function joined(...ids: readonly string[]): string {
  return ids.map((id) => id.replaceAll("%", "%25").replaceAll("/", "%2F")).join("/");
}
