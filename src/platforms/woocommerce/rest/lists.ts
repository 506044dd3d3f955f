import { fieldOf, isList, isObject, type Json, JsonNumber } from "../../json-source.ts";
import type { WooRequest } from "./answer.ts";
import { wooIdOf } from "./answer.ts";

/** The maximum number that WooCommerce lists in one answer. */
const PAGE_SIZE = 100;

/** One answer of a list. `total`: the length of the whole list; null: the store did not state it. */
export interface WooList {
  readonly resources: readonly Json[];
  readonly total: number | null;
}

/** Whether a list ends with an answer after which `read` resources were read. A store may return fewer at a time than requested. */
export function isListOver({ resources, total }: WooList, read: number): boolean {
  if (resources.length === 0) return true;
  return total === null ? resources.length < PAGE_SIZE : read >= total;
}

/**
 * The position at which the list of changes is read next. Page numbers are not used for the whole list, because a resource that is changed
 * meanwhile leaves its place, and another would be skipped. Each request begins at the newest change that was read; only changes of that
 * same second are read by page.
 */
export interface ChangeCursor {
  readonly resource: "orders" | "products";
  /** Changes at or after it. */
  readonly since: Temporal.Instant;
  /** Among those, from 1. */
  readonly page: number;
}

/** Returns the request for a page of changed orders or products, oldest change first. `modified_after` excludes its own second. */
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

/** Returns the position after a page; null: that was the last one. */
export function nextCursor(cursor: ChangeCursor, list: WooList): ChangeCursor | null {
  if (isListOver(list, cursor.page * list.resources.length)) return null;
  const newest = newestOf(list.resources, "date_modified_gmt");
  const isLater = newest !== null && Temporal.Instant.compare(newest, cursor.since) > 0;
  return isLater ? { ...cursor, since: newest, page: 1 } : { ...cursor, page: cursor.page + 1 };
}

/** Returns the request for customers from a position of the list by registration; WooCommerce neither states nor filters by when they changed. */
export function customersRequest(offset: number, order: "asc" | "desc"): WooRequest {
  const query = new URLSearchParams({ role: "all", orderby: "registered_date", order, offset: String(offset) });
  return listRequest("customers", null, query);
}

/** Returns the request for certain customers. */
export function namedCustomersRequest(ids: readonly string[]): WooRequest {
  return listRequest("customers", 1, new URLSearchParams({ role: "all", include: ids.join(",") }));
}

/** Returns the request for the refunds of an order, with their lines. */
export function refundsRequest(orderId: string, page: number): WooRequest {
  return listRequest(`orders/${orderId}/refunds`, page, new URLSearchParams());
}

function listRequest(path: string, page: number | null, query: URLSearchParams): WooRequest {
  query.set("per_page", String(PAGE_SIZE));
  if (page !== null) query.set("page", String(page));
  return { method: "GET", path: `/wc/v3/${path}?${query}` };
}

/** Returns the newest of the times that resources have under a name, in UTC; null: none has one. */
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

/** Returns the id of an order that states refunds; null: it has none. */
export function refundedOrderId(order: Json): string | null {
  const refunds = fieldOf(order, "refunds");
  return isList(refunds) && refunds.length > 0 ? wooIdOf(fieldOf(order, "id")) : null;
}

/** Returns an order with its refunds as the REST API states them, instead of only their amounts. */
export function withRefunds(order: Json, refunds: readonly Json[]): Json {
  return isObject(order) ? { ...order, refunds } : order;
}

/** Returns the ids of the customers of orders, each once. */
export function customerIdsOf(orders: readonly Json[]): string[] {
  return [...new Set(orders.flatMap((order) => wooIdOf(fieldOf(order, "customer_id")) ?? []))];
}

/**
 * Returns the position from which the history of customers continues: the number that were read, minus the last page, from which some may
 * have been deleted.
 */
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
