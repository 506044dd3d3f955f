import { ALLOTMENT_TYPE_NAMES, type AllotmentType } from "../../ledger/allotment-types.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { Fault } from "../../problems.ts";
import { FROM_TO, readRange, type TimeRange } from "../list.ts";
import type { LedgerFilterQuery } from "./schema.ts";

/** Which allotments are shown: those to which all of this applies. */
export interface LedgerFilters extends TimeRange {
  /** Empty: all. */
  readonly types: readonly AllotmentType[];
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
  const { from, to, ...range } = readRange(query, timeZone, FROM_TO);
  const faults = [...range.faults];
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
