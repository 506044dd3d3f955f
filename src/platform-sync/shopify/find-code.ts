import {
  type FoundDiscount,
  findDiscount,
  isOwnDiscount,
  readFound,
} from "../../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { PlacedCode, PortDeps } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

/** Finds a coupon's discount at Shopify by its code; null: there is none, or it is another's. */
export async function findCode(
  deps: Pick<PortDeps, "log">,
  admin: ShopifyAdmin,
  placed: PlacedCode,
): Promise<FoundDiscount | null | "unknown"> {
  const result = await callAdmin(deps, admin, findDiscount({ code: placed.code }));
  if (result.kind !== "data") return "unknown";
  const found = readFound(result.data);
  return found !== null && isOwnDiscount(placed, found) ? found : null;
}
