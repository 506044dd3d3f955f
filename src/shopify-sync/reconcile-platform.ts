import type { Deps } from "../deps.ts";
import type { Resource } from "../platforms/shopify/admin/changed-resources.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { saveMark, selectMark } from "./mark-queries.ts";
import { takeChanged } from "./take-changed.ts";

/** Customers first, so that orders find them. */
const RESOURCES: readonly Resource[] = ["customers", "orders"];
/** Changes that the platform listed late are read again; what was taken before changes nothing. */
const OVERLAP_HOURS = 24;

/**
 * Reads what changed at the platform since the last time, and a day before that, and passes it through the intake (platforms.md
 * 4.3, rule 7): what was never delivered is made up for. The mark moves with each page, so that a run that was killed is
 * continued; the first run begins a day back. Does nothing without a token. Returns how many were not known; throws where the
 * platform fails.
 */
export async function reconcilePlatform(deps: Deps, { signal }: { readonly signal: AbortSignal }): Promise<number> {
  const admin = deps.config.platforms.shopify.admin;
  if (admin === undefined) return 0;
  let fresh = 0;
  for (const resource of RESOURCES) fresh += await takeResource(deps, admin, resource, signal);
  return fresh;
}

async function takeResource(deps: Deps, admin: ShopifyAdmin, resource: Resource, signal: AbortSignal): Promise<number> {
  const startedAt = deps.clock.now();
  const mark = await selectMark(deps.db, resource);
  const since = (mark ?? startedAt).subtract({ hours: OVERLAP_HOURS });
  if (mark === null) await saveMark(deps.db, resource, startedAt);
  return (await takeChanged(deps, admin, { resource, since, mark: resource, signal })).fresh;
}
