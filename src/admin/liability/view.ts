import type { MovementPage } from "../../liability/list-movements.ts";
import { formatMajor } from "../../platforms/money.ts";
import { formatInstant } from "../../time/store-time.ts";
import { orderIdOf } from "../ledger/view.ts";
import { viewCustomer } from "../named-customer.ts";
import type { NamedMovement } from "./name-movements.ts";
import type { NamedMovements } from "./schema.ts";

export function viewNamedMovements(
  rows: readonly NamedMovement[],
  { nextCursor, currency }: Pick<MovementPage, "nextCursor" | "currency">,
): NamedMovements {
  return {
    data: rows.map((row) => ({
      ...{ uid: row.uid, type: row.type, points: row.points, object: row.object },
      allotted_at: formatInstant(row.allottedAt),
      customer: viewCustomer(row),
      order_id: orderIdOf(row.parent),
      order_name: row.orderName,
      app_reference: row.appReference,
      sales: row.money === null ? null : formatMajor(row.money, currency),
    })),
    meta: { next_cursor: nextCursor },
  };
}
