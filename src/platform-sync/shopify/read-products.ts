import type { JsonObject } from "../../platforms/json-source.ts";
import { mayReadProducts, readScopes, scopesOf } from "../../platforms/shopify/admin/connection.ts";
import type { AdminRequest } from "../../platforms/shopify/admin/discount-code.ts";
import { listProducts, readProductPage } from "../../platforms/shopify/admin/listed-products.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { ChangedPage, PortDeps } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

/** The rate limit is that of metafields, triggers and coupon codes, too. */
const PATIENCE_MS = 600_000;
/** A page is large and made slowly. */
const TIMEOUT_FACTOR = 3;
/** A cursor leads to 25,000 resources at most: before that many, reading begins again at the change that was reached. */
const CURSOR_PAGES_MAX = 80;

interface ReadOptions {
  readonly since: Temporal.Instant;
  readonly signal: AbortSignal;
}

/**
 * Reads the tags of the products that changed at Shopify since a moment, page by page, oldest change first: no body of an order has them. A token without
 * the permission reads none, as `connect` says. Throws where Shopify fails.
 */
export async function* readProducts(
  deps: Pick<PortDeps, "log">,
  admin: ShopifyAdmin,
  { since, signal }: ReadOptions,
): AsyncGenerator<ChangedPage> {
  if (!mayReadProducts(scopesOf(await dataOf(deps, admin, readScopes(), signal)))) return;
  let from = since;
  let after: string | null = null;
  for (let pages = 1; !signal.aborted; pages++) {
    const page: ReturnType<typeof readProductPage> = readProductPage(
      await dataOf(deps, admin, listProducts(from, after), signal),
    );
    if (typeof page === "string") throw new Error(`the platform's products: ${page}`);
    yield page;
    if (page.next === null) return;
    after = page.next;
    const reached: Temporal.Instant | undefined = page.changedAt?.round({
      smallestUnit: "second",
      roundingMode: "floor",
    });
    if (pages < CURSOR_PAGES_MAX || reached === undefined || Temporal.Instant.compare(reached, from) <= 0) continue;
    [from, after, pages] = [reached, null, 0];
  }
}

async function dataOf(
  deps: Pick<PortDeps, "log">,
  admin: ShopifyAdmin,
  adminRequest: AdminRequest,
  signal: AbortSignal,
): Promise<JsonObject> {
  const timeoutMs = TIMEOUT_FACTOR * admin.timeoutMs;
  const result = await callAdmin(deps, admin, adminRequest, { patienceMs: PATIENCE_MS, timeoutMs, signal });
  if (result.kind === "data") return result.data;
  throw new Error(`the platform's products: ${result.kind === "throttled" ? "throttled" : result.detail}`);
}
