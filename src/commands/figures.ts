import { rebuildMetrics } from "../metrics/rebuild-metrics.ts";
import { verifyMetrics } from "../metrics/verify-metrics.ts";
import type { Given } from "./command-line.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper figures verify|rebuild`: compares the dashboard's figures with the ledger, or lets the workers rebuild them. */
export async function figures({ action }: Given): Promise<number> {
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  switch (action) {
    case "verify":
      return (await withDeps((deps) => verifyMetrics(deps, print))) ? 0 : 1;
    case "rebuild":
      await withDeps(rebuildMetrics);
      print("The workers rebuild the figures; until then the current ones are shown.");
      return 0;
    default:
      throw new Error(`no work for ${action}`);
  }
}
