import type { GiveWayDeps } from "./give-way.ts";

/** How large a job's next batch is: small when requests are posting in this process. */
export function politeSize(
  deps: GiveWayDeps,
  { quiet, busy }: { readonly quiet: number; readonly busy: number },
): number {
  return deps.postings.isBusy() ? busy : quiet;
}
