import { bulkPositionOf } from "../../platforms/shopify/admin/bulk-customers.ts";
import { foreignField } from "../../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { CouponPort, HistoryPort, PlatformPort, PortDeps } from "../platform-port.ts";
import { connectShopify } from "./connect-shopify.ts";
import { countHistory } from "./count-history.ts";
import { createCode } from "./create-code.ts";
import { findCode } from "./find-code.ts";
import { readBulkCustomers } from "./read-bulk-customers.ts";
import { readChanges } from "./read-changes.ts";
import { readProducts } from "./read-products.ts";
import { removeCode } from "./remove-code.ts";

/** The store's Admin API as a port; undefined: there is no token. */
export function openShopify(deps: PortDeps): PlatformPort | undefined {
  const { admin } = deps.config.platforms.shopify;
  if (admin === undefined) return undefined;
  return {
    platform: "shopify",
    coupons: couponPort(deps, admin),
    history: historyPort(deps, admin),
    connection: connectShopify(deps, admin),
  };
}

function couponPort(deps: PortDeps, admin: ShopifyAdmin): CouponPort {
  return {
    foreignFault: (input) => {
      const pointer = foreignField(input);
      return pointer === null ? null : { pointer, detail: `${pointer}: expected an id of the platform: digits` };
    },
    create: (input, isRetry) => createCode(deps, admin, { input, isRetry }),
    find: (placed) => findCode(deps, admin, placed),
    remove: ({ ref }) => removeCode(deps, admin, ref),
  };
}

function historyPort(deps: PortDeps, admin: ShopifyAdmin): HistoryPort {
  const changes: HistoryPort["changes"] = (resource, since, signal) =>
    resource === "products"
      ? readProducts(deps, admin, { since, signal })
      : readChanges(deps, admin, { resource, since, signal });
  return {
    resources: ["customers", "products", "orders"],
    markPrefix: "",
    changes,
    past: (resource, { since, position }, signal) =>
      resource === "customers"
        ? readBulkCustomers(deps, admin, { since, position, signal })
        : changes(resource, since, signal),
    count: async (resource, { since, position }) => {
      const total = await countHistory(deps, admin, resource, since);
      return total && Math.max(0, total - (bulkPositionOf(position)?.lines ?? 0));
    },
  };
}
