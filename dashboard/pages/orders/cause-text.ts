import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { itemsText } from "./timeline.ts";

/**
 * A natural key for people: "Shipment: Tea bowl" for `fulfillment/<order>/f1/a`, "Refund: Kettle" for `refund/<order>/r1`. Parts without a name are
 * left out.
 */
export function causeText(
  cause: string,
  names: Readonly<Record<string, string>>,
  order?: Pick<OrderDetail, "lines" | "refunds">,
): string {
  const [kind = "", ...ids] = cause.split("/");
  const name = names[kind] ?? kind;
  const last = decoded(ids.at(kind === "paid" && ids.at(-1) === "tax" ? -2 : -1) ?? "");
  const refund = kind === "refund" ? order?.refunds.find(({ id }) => id === last) : undefined;
  const title = order?.lines.find(({ line_id }) => line_id === last)?.title ?? "";
  const items = refund === undefined || order === undefined ? title : itemsText(order, refund.lines);
  return items === "" || kind === "coupon_return" || kind === "adjust" ? name : `${name}: ${items}`;
}

/** Slashes in the ids of a key are escaped. */
function decoded(part: string): string {
  return part.replaceAll("%2F", "/").replaceAll("%25", "%");
}
