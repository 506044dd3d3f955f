import { at, type JsonReader, readListOrNone } from "../json-reader.ts";
import type { OrderLine } from "../neutral-events.ts";
import { netOfLine } from "../order-sums.ts";
import { grossOf } from "../quantity.ts";
import { readWooAmount } from "./fields.ts";
import { unitPriceOf, type WooLineContext } from "./lines.ts";

/** Amounts of an order or of a part of it, in minor units: without tax, and its tax. */
interface NetAndTax {
  readonly net: bigint;
  readonly tax: bigint;
}

/**
 * Returns the goods of an order such that they add up to the order's own sums. A negative fee lowers their tax too: its tax is distributed
 * over theirs. A store that rounds tax at the subtotal states each line rounded by itself, 8.33 and 1.67 of an order of 9.99: the difference
 * goes to the largest line.
 */
export function withOrderSums(goods: readonly OrderLine[], body: JsonReader, context: WooLineContext): OrderLine[] {
  const fees = readListOrNone(at(body, "fee_lines"), (fee) => readNetAndTax(fee, "total", "total_tax", context));
  const feeTax = fees.reduce(
    (sum, { net, tax }) => (net + (context.taxesIncluded ? tax : 0n) < 0n ? sum - tax : sum),
    0n,
  );
  return withRounding(withFeeTax(goods, feeTax), roundingOf(goods, fees, body, context), context);
}

function readNetAndTax(owner: JsonReader, net: string, tax: string, { currency }: WooLineContext): NetAndTax {
  return { net: readWooAmount(at(owner, net), currency).minor, tax: readWooAmount(at(owner, tax), currency).minor };
}

/** Subtracts the tax of negative fees from the tax of the lines, in proportion to it, each rounded down, the rest to the last. */
function withFeeTax(goods: readonly OrderLine[], feeTax: bigint): readonly OrderLine[] {
  const whole = goods.reduce((sum, { tax }) => sum + tax.minor, 0n);
  const taken = feeTax < whole ? feeTax : whole;
  if (taken <= 0n) return goods;
  let seen = 0n;
  return goods.map((line) => {
    const before = (taken * seen) / whole;
    seen += line.tax.minor;
    const share = (taken * seen) / whole - before;
    return share === 0n ? line : { ...line, tax: { ...line.tax, minor: line.tax.minor - share } };
  });
}

/** Returns by how much the order's sums differ from those of its parts; 0 if it is more than rounding of each part makes. */
function roundingOf(
  goods: readonly OrderLine[],
  fees: readonly NetAndTax[],
  body: JsonReader,
  context: WooLineContext,
): NetAndTax {
  const { taxesIncluded } = context;
  const lines = goods.map((line) => ({
    net: netOfLine(line) - (taxesIncluded ? line.tax.minor : 0n),
    tax: line.tax.minor,
  }));
  const shipping = readNetAndTax(body, "shipping_total", "shipping_tax", context);
  const parts = [...lines, ...fees, shipping];
  const order = readNetAndTax(body, "total", "total_tax", context);
  const most = BigInt(parts.length + 1) / 2n; // half a minor unit for each part, and for the sum
  const small = (difference: bigint): bigint => (difference <= most && -difference <= most ? difference : 0n);
  return {
    net: small(order.net - order.tax - parts.reduce((sum, { net }) => sum + net, 0n)),
    tax: small(order.tax - parts.reduce((sum, { tax }) => sum + tax, 0n)),
  };
}

/** Adds a difference of rounding to the largest line. */
function withRounding(
  goods: readonly OrderLine[],
  { net, tax }: NetAndTax,
  { currency, taxesIncluded }: WooLineContext,
): OrderLine[] {
  const change = net + (taxesIncluded ? tax : 0n);
  const [first, ...others] = goods.filter((line) => line.quantity > 0);
  if ((change === 0n && tax === 0n) || first === undefined) return [...goods];
  const largest = others.reduce((a, b) => (netOfLine(b) > netOfLine(a) ? b : a), first);
  if (netOfLine(largest) + change < 0n || largest.tax.minor + tax < 0n) return [...goods];
  const corrected = {
    ...withoutPrice(largest),
    ...unitPriceOf(grossOf(largest) + change, largest.quantity, currency),
    tax: { minor: largest.tax.minor + tax, currency },
  };
  return goods.map((line) => (line === largest ? corrected : line));
}

function withoutPrice({ unitPriceMillionths: _, ...line }: OrderLine): OrderLine {
  return line;
}
