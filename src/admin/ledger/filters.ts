import { ALLOTMENT_TYPE_NAMES, type AllotmentType } from "../../ledger/allotment-types.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { Fault } from "../../problems.ts";
import { parseInstant } from "../../time/store-time.ts";
import type { LedgerFilterQuery } from "./schema.ts";

/** Which allotments are shown: those to which all of this applies. */
export interface LedgerFilters {
  /** Empty: all. */
  readonly types: readonly AllotmentType[];
  readonly from: Temporal.Instant | null;
  /** Exclusive. */
  readonly to: Temporal.Instant | null;
  readonly source: string | null;
  readonly orderId: string | null;
  readonly customer: CustomerRef | null;
  readonly direction: "earned" | "spent" | null;
  /** Of the points moved, without their sign. */
  readonly atLeast: number | null;
  readonly atMost: number | null;
}

/** Reads all filters but the customer, whom a look at the database finds; the faults of those that cannot be read. */
export function parseLedgerFilters(
  query: LedgerFilterQuery,
  timeZone: string,
): Omit<LedgerFilters, "customer"> | { readonly faults: readonly Fault[] } {
  const faults: Fault[] = [];
  const time = (parameter: "from" | "to", edge: "start" | "end"): Temporal.Instant | null => {
    const text = query[parameter];
    if (text === undefined) return null;
    const instant = parseInstant(text, { timeZone, edge });
    if (instant === null) faults.push({ parameter, detail: "expected an ISO 8601 date or date-time" });
    return instant;
  };
  const from = time("from", "start");
  const to = time("to", "end");
  const named = (query.type ?? "").split(",").filter((name) => name !== "");
  const types = ALLOTMENT_TYPE_NAMES.filter((name) => named.includes(name));
  if (named.some((name) => !types.some((type) => type === name))) {
    faults.push({ parameter: "type", detail: `expected some of ${ALLOTMENT_TYPE_NAMES.join(", ")}, comma-separated` });
  }
  if (faults.length > 0) return { faults };
  return {
    ...{ types, from, to },
    source: query.source ?? null,
    orderId: query.order ?? orderOf(query.source),
    direction: query.direction ?? null,
    atLeast: query.at_least ?? null,
    atMost: query.at_most ?? null,
  };
}

/** A source that is an order's own name finds the order, and need not be looked for. */
function orderOf(source: string | undefined): string | null {
  return source?.startsWith("order-") === true && source.length > "order-".length
    ? source.slice("order-".length)
    : null;
}

/** By which index the rows of a list are walked, newest first. */
export type LedgerPath = "time" | "type" | "types" | "customer" | "order";

export function pathOf({ types, orderId, customer }: LedgerFilters): LedgerPath {
  if (orderId !== null) return "order";
  if (customer !== null) return "customer";
  if (types.length > 1) return "types";
  return types.length === 1 ? "type" : "time";
}

/** Whether rows that are walked may have to be left out: then a page looks at a bounded number of them. */
export function isSelective(filters: LedgerFilters): boolean {
  const { source, direction, atLeast, atMost, types, customer } = filters;
  if ([source, direction, atLeast, atMost].some((filter) => filter !== null)) return true;
  const path = pathOf(filters);
  return (path === "customer" && types.length > 0) || (path === "order" && (types.length > 0 || customer !== null));
}
