import { recordAction } from "../../audit/record-action.ts";
import type { Deps } from "../../deps.ts";
import { writeSetupStep } from "./queries.ts";
import type { SetupStep } from "./setup-steps.ts";

/** Keeps that a person finds a step of the first-run checklist right as it is, or takes that back. Doing it again changes nothing. */
export async function confirmStep(
  deps: Pick<Deps, "db" | "clock">,
  { step, isConfirmed, by }: { readonly step: SetupStep; readonly isConfirmed: boolean; readonly by: string },
): Promise<void> {
  await deps.db.tx(async (tx) => {
    if (!(await writeSetupStep(tx, { step, isConfirmed, at: deps.clock.now(), by }))) return;
    const action = isConfirmed ? "setup.step_confirmed" : "setup.step_reopened";
    await recordAction(tx, deps, { action, subject: { kind: "setup_step", id: step } });
  });
}
