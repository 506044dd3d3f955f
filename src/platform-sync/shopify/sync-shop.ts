import type { Deps } from "../../deps.ts";
import { READ_SHOP, readRefused, setMetafields, shopRef } from "../../platforms/shopify/admin/metafields.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import { readProgram } from "../../program/read-program.ts";
import { callAdmin } from "./call-admin.ts";
import { claimShop, saveShop } from "./change-queries.ts";
import { digestOf, shopAttributes } from "./loyalty-attributes.ts";

/** Sets the shop's metafield where the rates changed, with a campaign's start and end too. Returns whether it did. */
export async function syncShop(deps: Deps, admin: ShopifyAdmin): Promise<boolean> {
  const value = JSON.stringify(shopAttributes(await readProgram(deps.db), deps.clock.now()));
  const digest = digestOf(value);
  const claimed = await claimShop(deps.db, digest);
  if (claimed === undefined) return false;
  const ownerId = claimed.shopRef ?? (await askShop(deps, admin));
  if (ownerId === null) return false;
  const result = await callAdmin(deps, admin, setMetafields([{ ownerId, value }]));
  if (result.kind !== "data") return false;
  const refused = readRefused(result.data);
  if (refused.length > 0) {
    deps.log.warn({ errors: refused.map(({ error }) => error.message) }, "the platform refused the shop's metafield");
    return false;
  }
  await saveShop(deps.db, ownerId, digest);
  return true;
}

async function askShop(deps: Deps, admin: ShopifyAdmin): Promise<string | null> {
  const result = await callAdmin(deps, admin, READ_SHOP);
  return result.kind === "data" ? shopRef(result.data) : null;
}
