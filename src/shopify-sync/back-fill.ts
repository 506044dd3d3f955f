import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import type { ReconcileTally } from "../intake/reconcile-lines.ts";
import type { Resource } from "../platforms/shopify/admin/changed-resources.ts";
import { countChanged, countOf } from "../platforms/shopify/admin/connection.ts";
import type { ShopifyAdmin } from "../platforms/shopify/settings.ts";
import { callAdmin } from "./call-admin.ts";
import { selectMark, takeChanged } from "./take-changed.ts";

export interface BackFillOrder {
  readonly resource: Resource;
  /** What changed before is left out. */
  readonly since: Temporal.Instant;
  readonly signal: AbortSignal;
  /** Called after each page; `total` undefined: the platform did not say how many there are. */
  readonly onProgress?: (done: number, total: number | undefined) => void;
}

/** A page that was cut is fetched again so often, each time after a longer pause. */
const TRIES = 4;
const PAUSE_MS = 250;

/** How far the history was read, or where it begins. */
export async function historyFrom(deps: Pick<Deps, "db">, resource: Resource, since: Temporal.Instant) {
  const mark = await selectMark(deps.db, markOf(resource));
  return mark !== null && Temporal.Instant.compare(mark, since) > 0 ? mark : since;
}

const markOf = (resource: Resource) => `history of ${resource}`;

/** Asks the platform how many there are to read; undefined: it did not say. */
export async function countHistory(
  deps: Pick<Deps, "log">,
  admin: ShopifyAdmin,
  resource: Resource,
  since: Temporal.Instant,
): Promise<number | undefined> {
  const result = await callAdmin(deps, admin, countChanged(resource, since));
  return result.kind === "data" ? (countOf(result.data, resource) ?? undefined) : undefined;
}

/**
 * Reads the history of customers or orders from the platform, oldest change first, and passes it through the intake: what is known changes
 * nothing. The position is kept with each page, so that a run that was killed is continued by the next one. Memory is constant.
 * Throws where the platform fails for longer.
 */
export async function backFill(
  deps: Deps,
  admin: ShopifyAdmin,
  { resource, since, signal, onProgress }: BackFillOrder,
): Promise<ReconcileTally> {
  const total = await countHistory(deps, admin, resource, await historyFrom(deps, resource, since));
  const sum: ReconcileTally = { lines: 0, fresh: 0, known: 0, ignored: 0, failed: 0 };
  for (let failures = 0; ; ) {
    const before = { ...sum };
    const onPage = (tally: Readonly<ReconcileTally>) => {
      for (const name of ["lines", "fresh", "known", "ignored", "failed"] as const)
        sum[name] = before[name] + tally[name];
      failures = 0;
      onProgress?.(sum.lines, total);
    };
    try {
      const from = await historyFrom(deps, resource, since);
      await takeChanged(deps, admin, { resource, since: from, mark: markOf(resource), signal, onPage });
      return sum;
    } catch (error) {
      failures += 1;
      if (failures >= TRIES || signal.aborted) throw error;
      deps.log.warn({ error, resource }, "a page of the platform's history was lost: it is fetched again");
      await delay(PAUSE_MS * 2 ** failures, undefined, { signal });
    }
  }
}
