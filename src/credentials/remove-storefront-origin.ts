import type { Deps } from "../deps.ts";
import { notFound } from "../problems.ts";
import { parseOrigin } from "./storefront-origin.ts";

/** Forbids pages of an origin to use tokens, within two seconds on every node. 404 if they were not allowed to. */
export async function removeStorefrontOrigin(deps: Pick<Deps, "db">, text: string): Promise<void> {
  const origin = parseOrigin(text) ?? text;
  const removed = await deps.db.execute("delete from storefront_origin where origin = $1", [origin]);
  if (removed === 0) throw notFound(`the origin "${origin}" is not among those that may use tokens`);
}
