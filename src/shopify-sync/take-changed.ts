import type { Deps } from "../deps.ts";
import { type ReconcileLine, type ReconcileTally, reconcileLines } from "../intake/reconcile-lines.ts";
import { formatJson, type Json } from "../platforms/json-source.ts";
import { changedUrl, type Resource } from "../platforms/shopify/admin/changed-resources.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { fetchChangedPage } from "./fetch-changed-page.ts";
import { saveMark } from "./mark-queries.ts";

export interface ChangedOrder {
  readonly resource: Resource;
  readonly since: Temporal.Instant;
  /** The mark that moves with each page. */
  readonly mark: string;
  readonly signal: AbortSignal;
  /** Called after each page. */
  readonly onPage?: (tally: Readonly<ReconcileTally>) => void;
}

/**
 * Reads what changed at the platform since a moment, page by page, and passes it through the intake. The mark moves with each page, so that a
 * run that was killed is continued. Returns what came of it; throws where the platform fails.
 */
export async function takeChanged(
  deps: Deps,
  admin: ShopifyAdmin,
  { resource, since, mark, signal, onPage }: ChangedOrder,
): Promise<ReconcileTally> {
  let url: string | null = changedUrl(admin.url, resource, since);
  const sum: ReconcileTally = { lines: 0, fresh: 0, known: 0, ignored: 0, failed: 0 };
  while (url !== null && !signal.aborted) {
    const page: Awaited<ReturnType<typeof fetchChangedPage>> = await fetchChangedPage(deps, admin, {
      url,
      resource,
      signal,
    });
    const tally = await reconcileLines(deps, linesOf(page.resources), (n, fault) =>
      deps.log.warn({ resource, n, fault }, "a changed resource could not be taken"),
    );
    for (const name of ["lines", "fresh", "known", "ignored", "failed"] as const) sum[name] += tally[name];
    if (page.changedAt !== null) await saveMark(deps.db, mark, page.changedAt);
    onPage?.(sum);
    url = page.nextUrl;
  }
  return sum;
}

async function* linesOf(resources: readonly Json[]): AsyncGenerator<ReconcileLine> {
  for (const [i, resource] of resources.entries()) yield { n: i + 1, bytes: Buffer.from(formatJson(resource)) };
}
