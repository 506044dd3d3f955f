import { rebuildMetrics } from "../metrics/rebuild-metrics.ts";
import { verifyMetrics } from "../metrics/verify-metrics.ts";
import type { Given } from "./command-line.ts";
import { print } from "./output.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper figures verify|rebuild`: compares the dashboard's figures with the ledger, or lets the workers rebuild them. */
export async function figures(given: Given): Promise<number> {
  switch (given.action) {
    case "verify": {
      const lines: string[] = [];
      const isRight = await withDeps((deps) => verifyMetrics(deps, (line) => void lines.push(line)));
      const faults = lines.filter((line) => line.startsWith("FAIL ")).slice(0, -1);
      print(given, { json: { ok: isRight, faults }, text: lines });
      return isRight ? 0 : 1;
    }
    case "rebuild": {
      await withDeps(rebuildMetrics);
      const line = "The workers rebuild the figures; until then the current ones are shown.";
      print(given, { json: { message: line }, text: [line] });
      return 0;
    }
    default:
      throw new Error(`no work for ${given.action}`);
  }
}
