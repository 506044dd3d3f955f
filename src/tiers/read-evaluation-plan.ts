import type { Queryable } from "../db/pool.ts";
import type { Program } from "../program/program.ts";
import { readProgram } from "../program/read-program.ts";
import { readProgramVersion } from "../program/read-program-version.ts";
import { trailingWindow, windowOf } from "./check-dates.ts";
import type { EvaluationPlan } from "./evaluation-plan.ts";
import type { EvaluationRow } from "./evaluation-queries.ts";

/** Returns the rules and windows by which a run places customers. */
export async function readEvaluationPlan(
  queryable: Queryable,
  run: Omit<EvaluationRow, "uid" | "actor" | "nextBucket">,
): Promise<EvaluationPlan> {
  const [after, before, newest] = await Promise.all([
    readProgramVersion(queryable, run.programVersion),
    readProgramVersion(queryable, run.beforeVersion),
    readProgram(queryable),
  ]);
  const { kind, scope } = run;
  const windowBy = ({ tiers, store }: Program) =>
    kind === "check"
      ? windowOf(run.at, tiers, store.timeZone)
      : trailingWindow(run.at, tiers.windowMonths, store.timeZone);
  return {
    kind,
    scope,
    after: after.tiers,
    before: before.tiers,
    newest: newest.tiers,
    window: windowBy(after),
    windowBefore: windowBy(before),
  };
}
