import type { Static } from "typebox";
import { selectByStorefrontId } from "../customers/customer-queries.ts";
import type { Deps } from "../deps.ts";
import { type PreviewedOrder, previewOrder } from "../orders/preview/preview-order.ts";
import { Problem } from "../problems.ts";
import { readProgram } from "../program/read-program.ts";
import { amountFaults, orderOfCart } from "./cart.ts";
import type { cartBody } from "./schema.ts";

/**
 * Returns the points that a product or cart would earn a customer, by the function of `POST /orders/preview`, which also awards points. An unknown or
 * deleted customer earns like a new one. Throws `invalid` for amounts that the currency does not allow.
 */
export async function previewCart(
  deps: Pick<Deps, "db" | "clock">,
  customerId: string,
  cart: Static<typeof cartBody>,
): Promise<PreviewedOrder> {
  const { store } = await readProgram(deps.db);
  const currency = cart.currency ?? store.currency;
  const faults = amountFaults(cart, currency);
  if (faults.length > 0) throw new Problem("invalid", { faults });
  const customer = await selectByStorefrontId(deps.db, customerId);
  const buyer = customer === undefined || customer.deletedAt !== null ? null : customerId;
  const order = orderOfCart(cart, { currency, customerId: buyer });
  return previewOrder(deps, Buffer.from(JSON.stringify(order)));
}
