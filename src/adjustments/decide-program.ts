import { recordAction } from "../audit/record-action.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { type ChangeProgramInput, changeProgram } from "../tiers/change-program.ts";
import type { ProgramRequest } from "./adjustment-request.ts";
import { selectRequestedDocument } from "./change-queries.ts";
import { type Deciding, lockDecidable } from "./lock-decidable.ts";
import { writeDecision } from "./request-queries.ts";

/** How long a response waits for customers to be moved. */
const MOVING_MS = 3_000;

/**
 * Decides a request for a change of the program. If approved, the change is applied as the requester's, in the transaction of the decision. Throws
 * the errors of `lockDecidable`, and `program_changed` (409) if the program is no longer the version on which the change is based: then the request
 * waits to be refused or withdrawn.
 */
export async function decideProgram(
  deps: Parameters<typeof changeProgram>[0] & Pick<Deps, "config">,
  request: ProgramRequest,
  deciding: Deciding,
): Promise<void> {
  const { uid, baseVersion } = request;
  const isDecided = await deps.db.tx(async (tx) => {
    if ((await lockDecidable(tx, deps, uid, deciding)) === null) return true;
    if (deciding.decision === "approved") return false;
    await keepDecision(tx, deps, request, deciding);
    return true;
  });
  if (isDecided) return;
  const document = await selectRequestedDocument(deps.db, uid);
  const change: ChangeProgramInput = {
    document,
    baseVersion,
    validFrom: request.validFrom,
    author: request.requestedName,
    isDryRun: false,
    isNow: request.isNow,
    movingMs: MOVING_MS,
    guard: async ({ after }, tx) => {
      if ((await lockDecidable(tx, deps, uid, deciding)) === null) throw new Problem("request_decided");
      await keepDecision(tx, deps, request, { ...deciding, programVersion: after.version });
    },
  };
  try {
    await changeProgram(deps, change);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== "program_changed") throw error;
    // a simultaneous approval created the new version: this throws that error, or nothing if the same person approved
    if ((await deps.db.tx((tx) => lockDecidable(tx, deps, uid, deciding))) !== null) throw error;
  }
}

async function keepDecision(
  tx: Tx,
  deps: Pick<Deps, "clock">,
  { uid, requestedName, raises, baseVersion }: ProgramRequest,
  { decision, staff, note, programVersion }: Deciding & { readonly programVersion?: number },
): Promise<void> {
  const made = programVersion === undefined ? {} : { programVersion };
  await writeDecision(tx, uid, { decision, by: staff.uid, name: staff.name, at: deps.clock.now(), note, ...made });
  await recordAction(tx, deps, {
    action: `program.change_${decision}`,
    subject: { kind: "program", id: String(programVersion ?? baseVersion) },
    after: { request: uid, requested_by: requestedName, raises },
  });
}
