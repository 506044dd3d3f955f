import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { endSessions } from "./end-sessions.ts";
import { selectStaff } from "./queries.ts";

/** Ends every session of a person. 404 for an unknown uid. */
export async function signOutEverywhere(deps: Pick<Deps, "db" | "clock">, uid: string): Promise<void> {
  await deps.db.tx(async (tx) => {
    if ((await selectStaff(tx, uid)) === undefined) throw new Problem("not_found");
    await endSessions(tx, deps, uid);
  });
}
