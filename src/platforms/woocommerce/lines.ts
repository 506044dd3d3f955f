import { addFault, at, type JsonReader, readDecimalQuantity } from "../json-reader.ts";
import type { CurrencyCode, LineDiscount, Money, OrderCoupon, OrderLine } from "../neutral-events.ts";
import { millionths } from "../quantity.ts";
import { idOrNone, readWooAmount, readWooId, readWooText } from "./fields.ts";

/** What a line needs from its order. */
export interface WooLineContext {
  readonly currency: CurrencyCode;
  /** Whether the prices were entered with tax: then it is added to them, because WooCommerce states every line without tax. */
  readonly taxesIncluded: boolean;
  readonly coupons: readonly OrderCoupon[];
}

const MILLION = 1_000_000n;
/** Above it a unit price in millionths could no longer reproduce the line's price to the minor unit. */
const UNITS_MAX = 999_999;

/** Reads a line of goods. `subtotal` is before discounts and `total` after them, of the whole line. */
export function readWooLine(line: JsonReader, context: WooLineContext): OrderLine {
  const total = amountOf(line, "total", context);
  const stated = amountOf(line, "subtotal", context);
  const gross = stated > total ? stated : total; // a price raised by hand is no discount
  const productId = idOrNone(at(line, "product_id"));
  return {
    ...beginLine(line, gross, readUnits(at(line, "quantity")), context),
    productId,
    variantId: idOrNone(at(line, "variation_id")),
    discounts: shareDiscount(gross - total, context),
    kind: productId === null ? "custom" : "product",
  };
}

/** Reads a fee as a separate line. null for a negative one, which is a discount (`wooFeeDiscount`). */
export function readWooFee(fee: JsonReader, context: WooLineContext): OrderLine | null {
  const amount = amountOf(fee, "total", context, true);
  if (amount < 0n) return null;
  return { ...beginLine(fee, amount, 1, context), productId: null, variantId: null, discounts: [], kind: "fee" };
}

/** Returns the discount of a negative fee on the goods, in minor units, at least 0. */
export function wooFeeDiscount(fee: JsonReader, context: WooLineContext): bigint {
  const amount = amountOf(fee, "total", context, true);
  return amount < 0n ? -amount : 0n;
}

type LineHead = Pick<
  OrderLine,
  "lineId" | "title" | "quantity" | "currentQuantity" | "unitPrice" | "unitPriceMillionths" | "tax"
>;

function beginLine(line: JsonReader, gross: bigint, quantity: number, { currency }: WooLineContext): LineHead {
  return {
    lineId: readWooId(at(line, "id")),
    title: readWooText(at(line, "name")),
    quantity,
    currentQuantity: null,
    ...unitPriceOf(gross, quantity, currency),
    tax: readWooAmount(at(line, "total_tax"), currency),
  };
}

/** Returns the price of one unit of a line whose price before discounts is `gross`. */
export function unitPriceOf(
  gross: bigint,
  quantity: number,
  currency: CurrencyCode,
): Pick<OrderLine, "unitPrice" | "unitPriceMillionths"> {
  const units = millionths(quantity);
  // rounded half up: times the quantity it is within half a minor unit of the line's price
  const price = units === 0n ? 0n : (2n * gross * MILLION * MILLION + units) / (2n * units);
  const below = Number(price % MILLION);
  return { unitPrice: { minor: price / MILLION, currency }, ...(below === 0 ? {} : { unitPriceMillionths: below }) };
}

function readUnits(reader: JsonReader): number {
  const quantity = readDecimalQuantity(reader);
  if (quantity <= UNITS_MAX) return quantity;
  addFault(reader, `a quantity of at most ${UNITS_MAX}`);
  return 0;
}

function amountOf(line: JsonReader, name: "total" | "subtotal", context: WooLineContext, mayBeNegative = false) {
  const { minor } = readWooAmount(at(line, name), context.currency);
  const tax = context.taxesIncluded ? readWooAmount(at(line, `${name}_tax`), context.currency).minor : 0n;
  if (!mayBeNegative && minor + tax < 0n) addFault(at(line, name), "an amount of at least 0");
  return minor + tax;
}

/**
 * Distributes a line's discount over the order's coupons: WooCommerce states the discount of each coupon on the whole order, and the
 * discount of the line, but not both together. In proportion, each rounded down, the rest to the last; without a coupon the discount has no
 * code.
 */
function shareDiscount(discount: bigint, { coupons, currency }: WooLineContext): LineDiscount[] {
  if (discount <= 0n) return [];
  const taking = coupons.filter(({ amount }) => (amount?.minor ?? 0n) > 0n);
  const whole = taking.reduce((sum, { amount }) => sum + (amount?.minor ?? 0n), 0n);
  if (whole === 0n) return [{ code: null, discountRef: "order", amount: { minor: discount, currency } }];
  let left = discount;
  const shares = taking.map(({ code, amount }, i): LineDiscount => {
    const minor = i === taking.length - 1 ? left : (discount * (amount?.minor ?? 0n)) / whole;
    left -= minor;
    return { code, discountRef: `coupon/${i}`, amount: { minor, currency } };
  });
  return shares.filter(({ amount }) => amount.minor > 0n);
}

export function sumOfWoo(currency: CurrencyCode, amounts: readonly bigint[]): Money {
  return { minor: amounts.reduce((sum, minor) => sum + minor, 0n), currency };
}
