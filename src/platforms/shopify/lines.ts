import { at, has, type Reader, readListOrNone, readQuantity } from "../json-reader.ts";
import { isObject, JsonNumber } from "../json-source.ts";
import type { CurrencyCode, LineDiscount, LineKind, Money, OrderLine, PlatformId } from "../neutral-events.ts";
import { isTrue, knownWord, readEntityId, readPositiveMoney, readShopifyId, readTitle, sum } from "./members.ts";

/** The order's discounts, by the index that the lines' allocations name. */
export type DiscountCodes = readonly (string | null)[];

/**
 * The code of each discount application; null for automatic ones. A draft order's manual discount has its code as a title,
 * and is listed among `discount_codes` too (platforms.md 1.5).
 */
export function readDiscountCodes(order: Reader): DiscountCodes {
  const listed = readListOrNone(at(order, "discount_codes"), (code) => readTitle(at(code, "code")).toLowerCase());
  return readListOrNone(at(order, "discount_applications"), (application) => {
    const kind = knownWord(at(application, "type"), ["discount_code", "manual"]);
    if (kind === undefined) return null;
    const code = readTitle(at(application, kind === "manual" ? "title" : "code"));
    return code !== "" && (kind === "discount_code" || listed.includes(code.toLowerCase())) ? code : null;
  });
}

export function readLine(line: Reader, currency: CurrencyCode, codes: DiscountCodes): OrderLine {
  return {
    lineId: readEntityId(line, "LineItem"),
    productId: idOrNull(at(line, "product_id")),
    variantId: idOrNull(at(line, "variant_id")),
    title: readTitle(at(line, "title")),
    quantity: readQuantity(at(line, "quantity")),
    currentQuantity: at(line, "current_quantity").value == null ? null : readQuantity(at(line, "current_quantity")),
    unitPrice: readPositiveMoney(line, "price", currency),
    discounts: readAllocations(line, currency, codes),
    tax: readLineTax(line, currency),
    kind: kindOf(line),
  };
}

/** Of the whole line; `total_discount` is not the discount. */
export function readAllocations(line: Reader, currency: CurrencyCode, codes: DiscountCodes): LineDiscount[] {
  return readListOrNone(at(line, "discount_allocations"), (allocation) => {
    const { value } = at(allocation, "discount_application_index");
    const index = value instanceof JsonNumber ? value.source : "";
    return {
      code: codes[Number.parseInt(index, 10)] ?? null,
      discountRef: index,
      amount: readPositiveMoney(allocation, "amount", currency),
    };
  });
}

export function readLineTax(line: Reader, currency: CurrencyCode): Money {
  return sum(
    currency,
    readListOrNone(at(line, "tax_lines"), (tax) => readPositiveMoney(tax, "price", currency)),
  );
}

/** A quantity's share of a line's price after discounts and of its tax, rounded down: where a refund does not say them. */
export function readLineShare(
  line: Reader,
  quantity: number,
  currency: CurrencyCode,
): { readonly subtotal: Money; readonly tax: Money } | null {
  if (!isObject(line.value) || !has(line, "price") || !has(line, "quantity")) return null;
  const ordered = BigInt(readQuantity(at(line, "quantity")));
  if (ordered === 0n) return null;
  const taken = sum(
    currency,
    readAllocations(line, currency, []).map(({ amount }) => amount),
  );
  const net = readPositiveMoney(line, "price", currency).minor * ordered - taken.minor;
  const share = (whole: bigint): Money => ({ minor: (whole * BigInt(quantity)) / ordered, currency });
  return { subtotal: share(net), tax: share(readLineTax(line, currency).minor) };
}

/** A tip is a line without product, titled so; a line without product is else the merchant's own. */
function kindOf(line: Reader): LineKind {
  if (isTrue(at(line, "gift_card"))) return "gift_card";
  if (at(line, "product_id").value != null) return "product";
  return at(line, "title").value === "Tip" && at(line, "variant_id").value == null ? "tip" : "custom";
}

function idOrNull(reader: Reader): PlatformId | null {
  return reader.value == null ? null : readShopifyId(reader);
}
