import { fieldOf, isList, isObject, type Json, JsonNumber } from "../../json-source.ts";
import type { WooRequest } from "./answer.ts";
import { wooIdOf } from "./answer.ts";

/** The most that WooCommerce lists in one answer. */
const PAGE_SIZE = 100;

/** One answer of a list. `total`: how long the whole list is; null: the store did not say. */
export interface WooList {
  readonly resources: readonly Json[];
  readonly total: number | null;
}

/** Whether a list is over after an answer with which `read` of it were read. A store may answer fewer at a time than it is asked for. */
export function isListOver({ resources, total }: WooList, read: number): boolean {
  if (resources.length === 0) return true;
  return total === null ? resources.length < PAGE_SIZE : read >= total;
}

/**
 * Where the list of what changed is read next. Its pages are not counted through: a resource that is changed meanwhile leaves its place,
 * and another would be passed over. Each request begins at the newest change that was read, and only what changed in that very second is
 * paged through.
 */
export interface ChangeCursor {
  readonly resource: "orders" | "products";
  /** Changes at or after it. */
  readonly since: Temporal.Instant;
  /** Among those, from 1. */
  readonly page: number;
}

/** The request of a page of changed orders or products, oldest change first. `modified_after` leaves its own second out. */
export function changedRequest({ resource, since, page }: ChangeCursor): WooRequest {
  const after = since.subtract({ seconds: 1 }).toString({ smallestUnit: "second" });
  const query = new URLSearchParams({
    modified_after: after,
    dates_are_gmt: "true",
    orderby: "modified",
    order: "asc",
  });
  if (resource === "orders") query.set("status", "any");
  return listRequest(resource, page, query);
}

/** Where the list goes on after a page; null: that was the last one. */
export function nextCursor(cursor: ChangeCursor, list: WooList): ChangeCursor | null {
  if (isListOver(list, cursor.page * list.resources.length)) return null;
  const newest = newestOf(list.resources, "date_modified_gmt");
  const isLater = newest !== null && Temporal.Instant.compare(newest, cursor.since) > 0;
  return isLater ? { ...cursor, since: newest, page: 1 } : { ...cursor, page: cursor.page + 1 };
}

/** Customers from a place of the list by registration on; WooCommerce neither says nor filters by when they changed. */
export function customersRequest(offset: number, order: "asc" | "desc"): WooRequest {
  const query = new URLSearchParams({ role: "all", orderby: "registered_date", order, offset: String(offset) });
  return listRequest("customers", null, query);
}

/** Certain customers. */
export function namedCustomersRequest(ids: readonly string[]): WooRequest {
  return listRequest("customers", 1, new URLSearchParams({ role: "all", include: ids.join(",") }));
}

/** The refunds of an order, with their lines. */
export function refundsRequest(orderId: string, page: number): WooRequest {
  return listRequest(`orders/${orderId}/refunds`, page, new URLSearchParams());
}

function listRequest(path: string, page: number | null, query: URLSearchParams): WooRequest {
  query.set("per_page", String(PAGE_SIZE));
  if (page !== null) query.set("page", String(page));
  return { method: "GET", path: `/wc/v3/${path}?${query}` };
}

/** The newest of the times that resources have under a name, in UTC; null: none has one. */
export function newestOf(resources: readonly Json[], name: string): Temporal.Instant | null {
  let newest: Temporal.Instant | null = null;
  for (const resource of resources) {
    const at = gmtOf(fieldOf(resource, name));
    if (at !== null && (newest === null || Temporal.Instant.compare(at, newest) > 0)) newest = at;
  }
  return newest;
}

function gmtOf(value: Json | undefined): Temporal.Instant | null {
  if (typeof value !== "string" || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/.test(value)) return null;
  try {
    return Temporal.Instant.from(`${value}Z`);
  } catch {
    return null;
  }
}

/** The id of an order that says that it has refunds; null: it has none. */
export function refundedOrderId(order: Json): string | null {
  const refunds = fieldOf(order, "refunds");
  return isList(refunds) && refunds.length > 0 ? wooIdOf(fieldOf(order, "id")) : null;
}

/** An order with its refunds as the REST API states them, in place of their amounts alone. */
export function withRefunds(order: Json, refunds: readonly Json[]): Json {
  return isObject(order) ? { ...order, refunds } : order;
}

/** The ids of the customers of orders, each once. */
export function customerIdsOf(orders: readonly Json[]): string[] {
  return [...new Set(orders.flatMap((order) => wooIdOf(fieldOf(order, "customer_id")) ?? []))];
}

/** Where the history of customers is continued: the number that were read, and again the last page, from which some may have been deleted. */
export function customersPosition(read: number): string {
  return JSON.stringify({ customers: read });
}

export function customersOffset(position: string | null): number {
  const read = position === null ? null : /^\{"customers":(\d{1,12})\}$/.exec(position)?.[1];
  return read == null ? 0 : Math.max(0, Number(read) - PAGE_SIZE);
}

/** Whether a value is a number of at least 1. */
export function isPositive(value: Json | undefined): boolean {
  return value instanceof JsonNumber && Number(value.source) > 0;
}
