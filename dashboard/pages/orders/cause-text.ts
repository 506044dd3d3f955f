import type { OrderDetail } from "../../../src/admin/orders/schema.ts";
import { itemsText } from "./timeline.ts";

/**
 * A natural key for people: "Shipment: Tea bowl" of `fulfillment/<order>/f1/a`, "Refund: Kettle" of `refund/<order>/r1`. What is not said
 * by name is left away.
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

/** Ids in a key have their slashes escaped. */
function decoded(part: string): string {
  return part.replaceAll("%2F", "/").replaceAll("%25", "%");
}
