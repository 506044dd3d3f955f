import type { Deps } from "../../deps.ts";
import {
  deleteDiscount,
  type FoundDiscount,
  findDiscount,
  readDiscountDeleted,
  readFound,
} from "../../platforms/shopify/admin/discount-code.ts";
import type { ShopifyAdmin } from "../../platforms/shopify/settings.ts";
import type { RemovalResult } from "../platform-port.ts";
import { callAdmin } from "./call-admin.ts";

/** Removes a discount at the platform unless it was used; one that is gone already counts as removed. */
export async function removeCode(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  discountRef: string,
): Promise<RemovalResult> {
  const before = await look(deps, admin, discountRef);
  if (before === "unknown") return "unknown";
  if (before === null) return "gone";
  if (before.usageCount > 0) return "used";
  const result = await callAdmin(deps, admin, deleteDiscount(discountRef));
  if (result.kind === "data" && readDiscountDeleted(result.data)) return "gone";
  if (result.kind !== "data") return "unknown";
  return (await look(deps, admin, discountRef)) === null ? "gone" : "unknown";
}

async function look(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  ref: string,
): Promise<FoundDiscount | null | "unknown"> {
  const result = await callAdmin(deps, admin, findDiscount({ ref }));
  return result.kind === "data" ? readFound(result.data) : "unknown";
}
