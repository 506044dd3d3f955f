import type { Static } from "typebox";
import { parseMajor } from "../platforms/money.ts";
import type { Fault } from "../problems.ts";
import type { cartBody } from "./schema.ts";

type Cart = Static<typeof cartBody>;
type CartLine = Cart["lines"][number];

const AMOUNTS = ["price", "discount", "tax"] as const;

/** Returns faults for the amounts of a cart that its currency does not allow, such as 1.005 USD. */
export function amountFaults({ lines }: Cart, currency: string): Fault[] {
  return lines.flatMap((line, index) =>
    AMOUNTS.flatMap((field) => {
      const text = line[field];
      if (text === undefined || parseMajor(text, currency) !== null) return [];
      return [{ pointer: `/lines/${index}/${field}`, detail: `expected an amount of ${currency}` }];
    }),
  );
}

/** Converts a valid cart of a page into the body of `POST /orders/preview`, with amounts in minor units. */
export function orderOfCart(
  { lines, taxes_included }: Cart,
  { currency, customerId }: { readonly currency: string; readonly customerId: string | null },
): object {
  return {
    ...(customerId === null ? {} : { customer_id: customerId }),
    currency,
    ...(taxes_included === undefined ? {} : { taxes_included }),
    lines: lines.map((line) => orderLine(line, currency)),
  };
}

function orderLine({ product_id, quantity = 1, price, discount, tax }: CartLine, currency: string): object {
  const money = (text: string) => ({ minor: String(parseMajor(text, currency)), currency });
  return {
    product_id: String(product_id),
    quantity,
    unit_price: money(price),
    ...(discount === undefined ? {} : { discounts: [{ amount: money(discount) }] }),
    ...(tax === undefined ? {} : { tax: money(tax) }),
  };
}
