import type { OrderDetail } from "../../../src/admin/orders/schema.ts";

/** An event in the history of an order. */
export type OrderHappening =
  | { readonly kind: "placed" | "paid"; readonly at: string }
  | { readonly kind: "cancelled"; readonly at: string; readonly reason: string | null }
  | { readonly kind: "shipment"; readonly at: string; readonly items: string; readonly status: string }
  | { readonly kind: "refund"; readonly at: string; readonly items: string; readonly minor: number | null }
  | { readonly kind: "coupon"; readonly at: string; readonly code: string; readonly minor: number }
  | { readonly kind: "given" | "taken"; readonly at: string; readonly points: number };

/** Returns the history of an order, oldest first: the platform's events, and the points that followed. */
export function timelineOf(order: OrderDetail): readonly OrderHappening[] {
  const { processed_at, paid_at, cancelled_at, cancel_reason } = order;
  const happenings: OrderHappening[] = [
    { kind: "placed", at: processed_at },
    ...(paid_at === null ? [] : [{ kind: "paid", at: paid_at } as const]), // cast: a literal
    ...order.fulfillments.map(({ created_at, status, lines }) => {
      return { kind: "shipment", at: created_at, items: itemsText(order, lines), status } as const; // cast: a literal
    }),
    ...order.refunds.map(({ created_at, lines, money_moved }) => {
      return { kind: "refund", at: created_at, items: itemsText(order, lines), minor: money_moved } as const; // cast: a literal
    }),
    ...order.coupons.map(({ used_at, code, currency_value }) => {
      return { kind: "coupon", at: used_at, code, minor: currency_value } as const; // cast: a literal
    }),
    ...(cancelled_at === null ? [] : [{ kind: "cancelled", at: cancelled_at, reason: cancel_reason } as const]), // cast: a literal
    ...pointsMoved(order),
  ];
  return happenings.sort((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)));
}

/** Times are compared to the second: the points of a shipment's lines have times that differ by microseconds. */
const SECONDS_LENGTH = 19;

function pointsMoved({ postings }: OrderDetail): readonly OrderHappening[] {
  const moved = new Map<string, { kind: "given" | "taken"; at: string; points: number }>();
  for (const { allotted_at, taken } of postings) {
    if (allotted_at === null || taken === 0) continue;
    const kind = taken > 0 ? "given" : "taken";
    const key = `${kind}/${allotted_at.slice(0, SECONDS_LENGTH)}`;
    const known = moved.get(key) ?? { kind, at: allotted_at, points: 0 };
    moved.set(key, { ...known, points: known.points + taken });
  }
  return [...moved.values()];
}

/** "Tea bowl × 2 · Kettle": lines by their titles. */
export function itemsText(
  { lines }: Pick<OrderDetail, "lines">,
  units: readonly { readonly line_id: string; readonly quantity: number }[],
): string {
  const titles = new Map(lines.map(({ line_id, title }) => [line_id, title]));
  return units
    .map(({ line_id, quantity }) => {
      const title = titles.get(line_id) || line_id;
      return quantity === 1 ? title : `${title} × ${quantity}`;
    })
    .join(" · ");
}
