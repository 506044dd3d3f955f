import { ALLOTMENT_TYPE_NAMES, type AllotmentType } from "../../ledger/allotment-types.ts";
import type { CustomerRef } from "../../ledger/customer-ref.ts";
import type { Fault } from "../../problems.ts";
import { FROM_TO, readRange, type TimeRange } from "../list.ts";
import type { LedgerFilterQuery } from "./schema.ts";

/** The filters of a list of allotments, all of which must match. */
export interface LedgerFilters extends TimeRange {
  /** Empty: all types. */
  readonly types: readonly AllotmentType[];
  readonly source: string | null;
  readonly orderId: string | null;
  readonly customer: CustomerRef | null;
  readonly direction: "earned" | "spent" | null;
  /** A minimum of the points moved, without their sign. */
  readonly atLeast: number | null;
  readonly atMost: number | null;
}

/** Parses all filters except the customer, which is found in the database; also returns the faults of invalid ones. */
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

/** Returns the order's id if the source names an order, so that it need not be searched. */
function orderOf(source: string | undefined): string | null {
  return source?.startsWith("order-") === true && source.length > "order-".length
    ? source.slice("order-".length)
    : null;
}

/** The index that is used to read the rows of a list, newest first. */
export type LedgerPath = "time" | "type" | "types" | "customer" | "order";

export function pathOf({ types, orderId, customer }: LedgerFilters): LedgerPath {
  if (orderId !== null) return "order";
  if (customer !== null) return "customer";
  if (types.length > 1) return "types";
  return types.length === 1 ? "type" : "time";
}

/** Whether rows that are read may not match, so that a page must read a bounded number of them. */
export function isSelective(filters: LedgerFilters): boolean {
  const { source, direction, atLeast, atMost, types, customer } = filters;
  if ([source, direction, atLeast, atMost].some((filter) => filter !== null)) return true;
  const path = pathOf(filters);
  return (path === "customer" && types.length > 0) || (path === "order" && (types.length > 0 || customer !== null));
}
