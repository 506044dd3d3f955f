import type { Deps } from "../deps.ts";
import { type ReconcileLine, type ReconcileTally, reconcileLines } from "../intake/reconcile-lines.ts";
import { formatJson } from "../platforms/json-source.ts";
import type { Mark } from "./mark-queries.ts";
import type { ChangedPage, Resource } from "./platform-port.ts";

export interface ChangedOrder {
  readonly resource: Resource;
  readonly pages: AsyncIterable<ChangedPage>;
  /** Saves the mark, which moves with each page. */
  readonly save: (mark: Mark) => Promise<void>;
  /** The time to save in the mark where a page gives a position but no time. */
  readonly since: Temporal.Instant;
  /** Called after each page. */
  readonly onPage?: (tally: Readonly<ReconcileTally>) => void;
}

/**
 * Passes pages of what changed at the platform through the intake. The mark moves with each page, so that the next run continues one that
 * was killed. Returns the tally of the results; throws where the platform fails.
 */
export async function takeChanged(
  deps: Deps,
  { resource, pages, save, since, onPage }: ChangedOrder,
): Promise<ReconcileTally> {
  const sum: ReconcileTally = { lines: 0, fresh: 0, known: 0, ignored: 0, failed: 0 };
  for await (const page of pages) {
    const tally = await reconcileLines(deps, linesOf(page), (n, fault) =>
      deps.log.warn({ resource, n, fault }, "a changed resource could not be processed"),
    );
    for (const name of ["lines", "fresh", "known", "ignored", "failed"] as const) sum[name] += tally[name];
    const position = page.position ?? null;
    if (page.changedAt !== null || position !== null) await save({ changedAt: page.changedAt ?? since, position });
    onPage?.(sum);
  }
  return sum;
}

async function* linesOf({ resources, readAt }: ChangedPage): AsyncGenerator<ReconcileLine> {
  const read = readAt === undefined ? {} : { readAt };
  for (const [i, resource] of resources.entries())
    yield { n: i + 1, bytes: Buffer.from(formatJson(resource)), ...read };
}
