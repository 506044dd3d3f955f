import { canonicalText } from "../../db/json-codec.ts";
import type { OrderLine } from "../../platforms/neutral-events.ts";
import { addQuantities } from "../../platforms/quantity.ts";
import { statedFields } from "./order-facts.ts";

/**
 * Returns the lines of a statement, with the products that another statement of the order names and this one no longer does. A line's
 * product never changes, but Shopify writes null for it once the product was deleted. Without this a line of an excluded product would
 * earn from then on, and one of a bonus collection would lose its bonus.
 */
export function withKnownProducts(
  lines: readonly OrderLine[],
  others: readonly OrderLine[] | undefined,
): readonly OrderLine[] {
  if (others === undefined || lines.every(({ productId, variantId }) => productId !== null && variantId !== null))
    return lines;
  const known = new Map(others.map((line) => [line.lineId, line]));
  return lines.map((line) => {
    const other = known.get(line.lineId);
    if (other === undefined) return line;
    return {
      ...line,
      productId: line.productId ?? other.productId,
      variantId: line.variantId ?? other.variantId,
    };
  });
}

/**
 * Whether lines are those of the later of two statements that have the same version: lines are only added, and units removed. Otherwise
 * the larger text, first without the products, which may be known from a third statement.
 */
export function areLaterLines(lines: readonly OrderLine[], than: readonly OrderLine[]): boolean {
  if (lines.length !== than.length) return lines.length > than.length;
  const [units, before] = [unitsOf(lines), unitsOf(than)];
  if (units !== before) return units < before;
  const [text, other] = [textOf(lines.map(unnamed)), textOf(than.map(unnamed))];
  return text === other ? textOf(lines) > textOf(than) : text > other;
}

function unitsOf(lines: readonly OrderLine[]): number {
  return lines.reduce((sum, { quantity, currentQuantity }) => addQuantities(sum, currentQuantity ?? quantity), 0);
}

function unnamed(line: OrderLine): OrderLine {
  return { ...line, productId: null, variantId: null };
}

function textOf(lines: readonly OrderLine[]): string {
  return canonicalText(statedFields, { lines });
}
