import { addQuantities } from "../../platforms/quantity.ts";
import type { StoredFacts } from "./order-facts.ts";

/** Units that count as delivered without a fulfilment that names them. */
export interface UnnamedDelivery {
  /** `paid`: lines that are not shipped, once the order is paid. `fulfilled`: the whole order, by its status alone. */
  readonly kind: "paid" | "fulfilled";
  readonly at: Temporal.Instant;
  /** By line id, above 0. */
  readonly units: ReadonlyMap<string, number>;
}

/** Returns the part of a paid order that is delivered by payment alone: the lines that need no shipping, in the ordered quantity. */
export function deliveredOnPayment(facts: StoredFacts): UnnamedDelivery | null {
  const lines = (facts.stated.lines ?? []).filter(({ requiresShipping }) => requiresShipping === false);
  if (facts.paidAt === null || lines.length === 0) return null;
  return { kind: "paid", at: facts.paidAt, units: new Map(lines.map(({ lineId, quantity }) => [lineId, quantity])) };
}

/**
 * Returns what is delivered because the order's status says that the whole order is. It names all units as ordered, in addition to those of
 * the fulfilments. Units beyond a line's own earn nothing (see `shippedPart`), so whichever of the two is counted first, the other adds
 * only what is missing, and neither takes the other's points back. A fulfilment that was cancelled after the status was stated removes its
 * units again: then only the units remain that neither it nor the others name.
 */
export function deliveredByStatus(facts: StoredFacts): UnnamedDelivery | null {
  const { stated, fulfilledAt, versions } = facts;
  if (stated.isFulfilledWhole !== true || fulfilledAt === undefined) return null;
  const saidAt = versions.get("isFulfilledWhole");
  const cancelled = facts.fulfillments.filter(
    ({ status, updatedAt }) =>
      status === "cancelled" && (saidAt === undefined || Temporal.Instant.compare(updatedAt, saidAt) > 0),
  );
  const isTakenBack = cancelled.some(({ lines }) => lines.length === 0);
  const named = cancelled.length === 0 ? [] : facts.fulfillments.filter(({ status }) => status === "success");
  const out = new Map<string, number>();
  for (const { lineId, quantity } of [...cancelled, ...named].flatMap(({ lines }) => lines)) {
    out.set(lineId, addQuantities(out.get(lineId) ?? 0, quantity));
  }
  const units = new Map<string, number>();
  for (const { lineId, quantity, requiresShipping } of isTakenBack ? [] : (stated.lines ?? [])) {
    const open = addQuantities(quantity, -(out.get(lineId) ?? 0));
    if (open > 0 && requiresShipping !== false) units.set(lineId, open);
  }
  return { kind: "fulfilled", at: fulfilledAt, units };
}

/** Returns both, in the order in which they are counted: the first before all fulfilments, the second after them. */
export function unnamedDeliveries(facts: StoredFacts): readonly UnnamedDelivery[] {
  return [deliveredOnPayment(facts), deliveredByStatus(facts)].filter((delivery) => delivery !== null);
}
