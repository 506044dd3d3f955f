import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { type ReconcileLine, reconcileLines } from "../intake/reconcile-lines.ts";
import { formatJson, type Json } from "../platforms/json-source.ts";
import { changedUrl, type Resource } from "../platforms/shopify/admin/changed-resources.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { fetchChangedPage } from "./fetch-changed-page.ts";

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
  for (const resource of RESOURCES) fresh += await takeChanged(deps, admin, resource, signal);
  return fresh;
}

async function takeChanged(deps: Deps, admin: ShopifyAdmin, resource: Resource, signal: AbortSignal): Promise<number> {
  const startedAt = deps.clock.now();
  const mark = await selectMark(deps.db, resource);
  const since = (mark ?? startedAt).subtract({ hours: OVERLAP_HOURS });
  if (mark === null) await saveMark(deps.db, resource, startedAt);
  let url: string | null = changedUrl(admin.url, resource, since);
  let fresh = 0;
  while (url !== null && !signal.aborted) {
    const { resources, changedAt, nextUrl }: Awaited<ReturnType<typeof fetchChangedPage>> = await fetchChangedPage(
      deps,
      admin,
      {
        url,
        resource,
        signal,
      },
    );
    const tally = await reconcileLines(deps, linesOf(resources), (n, fault) =>
      deps.log.warn({ resource, n, fault }, "a changed resource could not be taken"),
    );
    fresh += tally.fresh;
    if (changedAt !== null) await saveMark(deps.db, resource, changedAt);
    url = nextUrl;
  }
  return fresh;
}

async function* linesOf(resources: readonly Json[]): AsyncGenerator<ReconcileLine> {
  for (const [i, resource] of resources.entries()) yield { n: i + 1, bytes: Buffer.from(formatJson(resource)) };
}

const SELECT_MARK = `select m.changed_at as "changedAt"
from platform_mark m
where m.resource = $1`;

/** How far changes were read; null: never. */
async function selectMark(queryable: Queryable, resource: Resource): Promise<Temporal.Instant | null> {
  const [row] = await queryable.query<{ changedAt: Temporal.Instant }>(SELECT_MARK, [resource]);
  return row?.changedAt ?? null;
}

const SAVE_MARK = `insert into platform_mark as m (resource, changed_at)
values ($1, $2)
on conflict (resource) do update
set changed_at = greatest(m.changed_at, excluded.changed_at)`;

/** Changes up to here are taken; it never goes back. */
async function saveMark(queryable: Queryable, resource: Resource, changedAt: Temporal.Instant): Promise<void> {
  await queryable.execute(SAVE_MARK, [resource, changedAt]);
}
