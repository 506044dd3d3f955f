import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { selectGrowthProgress } from "../growth/growth-queries.ts";
import { rebuildGrowth } from "../growth/rebuild-growth.ts";
import { verifyGrowth } from "../growth/verify-growth.ts";
import { selectMetricsState } from "../metrics/customer-queries.ts";
import { rebuildMetrics } from "../metrics/rebuild-metrics.ts";
import { selectRollups } from "../metrics/rollup-queries.ts";
import { verifyMetrics } from "../metrics/verify-metrics.ts";
import { rebuildSales } from "../sales/rebuild-sales.ts";
import { selectSalesProgress } from "../sales/sale-queries.ts";
import { verifySales } from "../sales/verify-sales.ts";
import type { Given } from "./command-line.ts";
import { createProgress, print } from "./output.ts";
import { withDeps } from "./with-deps.ts";

const POLL_MS = 500;

/**
 * `pointkeeper figures verify|rebuild [--wait]`: compares the dashboard's figures with the ledger, or lets the workers rebuild them, and can wait
 * until they have.
 */
export async function figures(given: Given): Promise<number> {
  switch (given.action) {
    case "verify": {
      const lines: string[] = [];
      const add = (line: string) => void lines.push(line);
      const isRight = await withDeps(async (deps) => {
        const areMetricsRight = await verifyMetrics(deps, add);
        const areSalesRight = await verifySales(deps, add);
        return (await verifyGrowth(deps, add)) && areSalesRight && areMetricsRight;
      });
      const faults = lines.filter((line) => line.startsWith("FAIL ") && !line.startsWith("FAIL figures: the "));
      print(given, { json: { ok: isRight, faults }, text: lines });
      return isRight ? 0 : 1;
    }
    case "rebuild": {
      const isWaiting = given.options.has("wait");
      await withDeps(async (deps) => {
        await rebuildMetrics(deps);
        await rebuildSales(deps);
        await rebuildGrowth(deps);
        if (isWaiting) await waitUntilRebuilt(deps);
      });
      const line = isWaiting
        ? "The figures are rebuilt."
        : "The workers rebuild the figures; until then the current ones are shown.";
      print(given, { json: { message: line, rebuilt: isWaiting }, text: [line] });
      return 0;
    }
    default:
      throw new Error(`no work for ${given.action}`);
  }
}

const SPAN = `select (extract(epoch from min(a.allotted_at)) * 1000)::double precision as "fromMs",
  (extract(epoch from max(a.allotted_at)) * 1000)::double precision as "toMs"
from allotment a`;
const DAY_MS = 86_400_000;

/** Shows how many days of the ledger have been counted. */
async function waitUntilRebuilt({ db }: Deps): Promise<void> {
  const progress = createProgress("rebuilding", "days");
  const [span] = await db.query<{ fromMs: number | null; toMs: number | null }>(SPAN);
  const fromMs = span?.fromMs ?? 0;
  const days = Math.max(1, Math.ceil(((span?.toMs ?? 0) - fromMs) / DAY_MS));
  for (;;) {
    const pending = (await selectRollups(db)).find(({ isShown }) => !isShown);
    const areSalesDone = (await selectSalesProgress(db)).countedAt !== null;
    const areCustomersDone = (await selectGrowthProgress(db)).countedAt !== null;
    if (pending === undefined && areSalesDone && areCustomersDone && (await selectMetricsState(db)).isComplete) break;
    const countedMs = pending?.allottedAt?.epochMilliseconds ?? (pending === undefined ? Number.MAX_VALUE : fromMs);
    progress.update(Math.min(days, Math.floor((countedMs - fromMs) / DAY_MS)), days);
    await delay(POLL_MS);
  }
  progress.end();
}
