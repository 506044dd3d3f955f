import type { RefundFact } from "../platforms/neutral-events.ts";

/**
 * The natural keys of a line's share of a shipment (program.md 3), goods and tax. They have the order in them, as the ids of a
 * platform may be unique within their order only. `formerKeys`: the form without the order, under which it may have been posted before.
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

/** Whether a cause is a share of a shipment under the form of key without the order, which two orders could have alike. */
export function isFormerShipmentCause(cause: string): boolean {
  return /^(fulfillment|tax)\/[^/]*\/[^/]*$/.test(cause);
}

/** The natural keys of a line that no fulfilment names, goods and tax: under award on payment (`paid`), or shipped as a whole. */
export function lineKeys(
  kind: string,
  orderId: string,
  lineId: string,
): { readonly goodsKey: string; readonly taxKey: string } {
  const goodsKey = `${kind}/${joined(orderId, lineId)}`;
  return { goodsKey, taxKey: `${goodsKey}/tax` };
}

/** The natural key of what a refund takes back. */
export function refundKey(orderId: string, { refundId }: RefundFact): string {
  return `refund/${joined(orderId, refundId)}`;
}

/** Whether a cause kept with the refund's own order is this refund, under either form of its key. */
export function isRefundCause(cause: string, orderId: string, refund: RefundFact): boolean {
  return cause === refundKey(orderId, refund) || cause === `refund/${refund.refundId}`;
}

/** Ids in one key: a slash within one of them is escaped, so that no two lists of ids come to the same key. */
function joined(...ids: readonly string[]): string {
  return ids.map((id) => id.replaceAll("%", "%25").replaceAll("/", "%2F")).join("/");
}
