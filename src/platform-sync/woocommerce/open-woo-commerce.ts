import { Agent } from "undici";
import { changedRequest, customersOffset, customersRequest } from "../../platforms/woocommerce/rest/lists.ts";
import { guardedLookup } from "../../webhooks/callbacks/guarded-lookup.ts";
import type { HistoryPort, HistoryStart, PlatformPort, PortDeps, Resource } from "../platform-port.ts";
import { callStore, type WooStore } from "./call-store.ts";
import { connectWooCommerce } from "./connect-woo-commerce.ts";
import { couponCodes } from "./coupon-codes.ts";
import { readAllCustomers } from "./read-all-customers.ts";
import { readNewCustomers } from "./read-new-customers.ts";
import { readWooChanges } from "./read-woo-changes.ts";

const CONNECT_TIMEOUT_MS = 5_000;
const COUNT_PATIENCE_MS = 30_000;

/** The REST API of a WooCommerce store as a port; undefined: there is no key. */
export function openWooCommerce(deps: PortDeps): PlatformPort | undefined {
  const { rest } = deps.config.platforms.woocommerce;
  if (rest === undefined) return undefined;
  const connect = { lookup: guardedLookup(deps), timeout: CONNECT_TIMEOUT_MS };
  const store: WooStore = { rest, dispatcher: new Agent({ connections: 1, allowH2: false, connect }) };
  return {
    platform: "woocommerce",
    coupons: couponCodes(deps, store),
    history: historyPort(deps, store),
    connection: connectWooCommerce(deps, store),
  };
}

function historyPort(deps: PortDeps, store: WooStore): HistoryPort {
  return {
    resources: ["customers", "products", "orders"],
    markPrefix: "woocommerce ",
    changes: (resource, since, signal) =>
      resource === "customers"
        ? readNewCustomers(deps, store, { since, signal })
        : readWooChanges(deps, store, { resource, since, signal }),
    past: (resource, { since, position }, signal) =>
      resource === "customers"
        ? readAllCustomers(deps, store, { position, signal })
        : readWooChanges(deps, store, { resource, since, signal }),
    count: (resource, start) => count(deps, store, resource, start),
  };
}

/** By the header in which each list has its whole length. */
async function count(
  deps: PortDeps,
  store: WooStore,
  resource: Resource,
  { since, position }: HistoryStart,
): Promise<number | undefined> {
  const list = resource === "customers" ? customersRequest(0, "asc") : changedRequest({ resource, since, page: 1 });
  const order = { ...list, path: list.path.replace(/per_page=\d+/, "per_page=1") };
  const result = await callStore(deps, store, order, { patienceMs: COUNT_PATIENCE_MS });
  if (result.kind !== "data" || result.total === null) return undefined;
  return resource === "customers" ? Math.max(0, result.total - customersOffset(position)) : result.total;
}
