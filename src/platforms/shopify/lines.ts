import { at, has, type JsonReader, readListOrNone, readOrNote, readQuantity } from "../json-reader.ts";
import { isObject, JsonNumber } from "../json-source.ts";
import type { CurrencyCode, LineDiscount, LineKind, Money, OrderLine, PlatformId } from "../neutral-events.ts";
import {
  isTrue,
  knownWord,
  readEntityId,
  readPositiveShopMoney,
  readShopifyId,
  readTitle,
  shopMoneyOrNote,
  sumOfMoney,
} from "./fields.ts";

/** The order's discount codes, by the index that the lines' allocations name. */
export type DiscountCodes = readonly (string | null)[];

/**
 * Reads the code of each discount application; null for automatic ones. A draft order's manual discount has its code as a title, and is
 * also listed among `discount_codes` (platforms.md 1.5).
 */
function readDiscountCodes(order: JsonReader): DiscountCodes {
  const listed = readListOrNone(at(order, "discount_codes"), (code) => readTitle(at(code, "code")).toLowerCase());
  const applications = readOrNote(at(order, "discount_applications"), (list) =>
    readListOrNone(list, (application) => {
      const kind = knownWord(at(application, "type"), ["discount_code", "manual"]);
      if (kind === undefined) return null;
      const code = readTitle(at(application, kind === "manual" ? "title" : "code"));
      return code !== "" && (kind === "discount_code" || listed.includes(code.toLowerCase())) ? code : null;
    }),
  );
  return applications ?? [];
}

/** What a line needs from its order. */
export interface LineContext {
  readonly currency: CurrencyCode;
  readonly codes: DiscountCodes;
  /** The tips that the order states, if none of its lines is marked as a tip. */
  readonly unmarkedTips: bigint;
}

/** Shopify writes these fields, even as null, only for tips, whatever the title and its language. */
function isMarkedTip(line: JsonReader): boolean {
  return has(line, "tip_payment_gateway") || has(line, "tip_payment_method");
}

export function readLineContext(order: JsonReader, currency: CurrencyCode): LineContext {
  const lines = readOrNote(at(order, "line_items"), (list) => readListOrNone(list, isMarkedTip)) ?? [];
  const tips = lines.includes(true) ? undefined : shopMoneyOrNote(order, "total_tip_received", currency);
  return { currency, codes: readDiscountCodes(order), unmarkedTips: tips?.minor ?? 0n };
}

export function readLine(line: JsonReader, context: LineContext): OrderLine {
  const { currency, codes } = context;
  const quantity = readQuantity(at(line, "quantity"));
  const unitPrice = readPositiveShopMoney(line, "price", currency);
  return {
    lineId: readEntityId(line, "LineItem"),
    productId: idOrNull(at(line, "product_id")),
    variantId: readOrNote(at(line, "variant_id"), idOrNull) ?? null,
    title: readTitle(at(line, "title")),
    quantity,
    currentQuantity: at(line, "current_quantity").value == null ? null : readQuantity(at(line, "current_quantity")),
    unitPrice,
    discounts: readAllocations(line, currency, codes),
    tax: readLineTax(line, currency),
    kind: kindOf(line, unitPrice.minor * BigInt(quantity), context),
  };
}

/** Reads the discounts of the whole line; `total_discount` is not the discount. */
function readAllocations(line: JsonReader, currency: CurrencyCode, codes: DiscountCodes): LineDiscount[] {
  return readListOrNone(at(line, "discount_allocations"), (allocation) => {
    const { value } = at(allocation, "discount_application_index");
    const index = value instanceof JsonNumber ? value.source : "";
    return {
      code: codes[Number.parseInt(index, 10)] ?? null,
      discountRef: index,
      amount: readPositiveShopMoney(allocation, "amount", currency),
    };
  });
}

export function readLineTax(line: JsonReader, currency: CurrencyCode): Money {
  return sumOfMoney(
    currency,
    readListOrNone(at(line, "tax_lines"), (tax) => readPositiveShopMoney(tax, "price", currency)),
  );
}

/** Returns a quantity's share of a line's price after discounts and of its tax, rounded down: used if a refund does not state them. */
export function readLineShare(
  line: JsonReader,
  quantity: number,
  currency: CurrencyCode,
): { readonly subtotal: Money; readonly tax: Money } | null {
  if (!isObject(line.value) || !has(line, "price") || !has(line, "quantity")) return null;
  const ordered = BigInt(readQuantity(at(line, "quantity")));
  if (ordered === 0n) return null;
  const taken = sumOfMoney(
    currency,
    readAllocations(line, currency, []).map(({ amount }) => amount),
  );
  const net = readPositiveShopMoney(line, "price", currency).minor * ordered - taken.minor;
  const share = (whole: bigint): Money => ({ minor: (whole * BigInt(quantity)) / ordered, currency });
  return { subtotal: share(net), tax: share(readLineTax(line, currency).minor) };
}

/**
 * A tip is marked as one. If no line is marked, the tip is the line without product and variant that costs all the tips of the order. Any
 * other line without a product is the merchant's own.
 */
function kindOf(line: JsonReader, amount: bigint, { unmarkedTips }: LineContext): LineKind {
  if (isTrue(at(line, "gift_card"))) return "gift_card";
  if (isMarkedTip(line)) return "tip";
  if (at(line, "product_id").value != null) return "product";
  const isTips = unmarkedTips > 0n && amount === unmarkedTips && at(line, "variant_id").value == null;
  return isTips ? "tip" : "custom";
}

function idOrNull(reader: JsonReader): PlatformId | null {
  return reader.value == null ? null : readShopifyId(reader);
}
