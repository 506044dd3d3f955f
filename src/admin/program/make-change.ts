import { isDeepStrictEqual } from "node:util";
import { newRequest, type ProgramRequest, REQUEST_DAYS } from "../../adjustments/adjustment-request.ts";
import { countWaitingPrograms, insertProgramRequest, selectSameProgram } from "../../adjustments/change-queries.ts";
import { lockMover } from "../../allowance/queries.ts";
import { recordAction } from "../../audit/record-action.ts";
import type { Tx } from "../../db/pool.ts";
import type { Deps } from "../../deps.ts";
import { Problem } from "../../problems.ts";
import { type AppliedProgram, applyProgram, type ProgramTransition } from "../../program/apply-program.ts";
import { readProgram } from "../../program/read-program.ts";
import type { SignedIn } from "../../staff/sessions/session.ts";
import { type ChangedProgram, changeProgram } from "../../tiers/change-program.ts";
import { addDays } from "../../time/store-time.ts";
import { checkConfirmed } from "../check-confirmed.ts";
import { decideApprovalNeed, type NeededApproval } from "./decide-approval-need.ts";

/** How long a response waits for customers to be moved. */
const MOVING_MS = 3_000;
/** The maximum number of waiting changes of the program: each stores a document. */
const WAITING_MAX = 20;

export interface ProgramChangeInput {
  /** JSON as it was parsed, complete or partial. */
  readonly document: unknown;
  /** The version on which the change is based. */
  readonly baseVersion: number;
  /** Whether new tier rules would place customers at once. */
  readonly isNow: boolean;
  /** From when it would apply to orders; null: from now on. */
  readonly validFrom: Temporal.Instant | null;
  readonly by: SignedIn;
}

/** Applied, or waiting for a second person. */
export type MadeChange =
  | { readonly kind: "applied"; readonly changed: ChangedProgram }
  | { readonly kind: "requested"; readonly uid: string; readonly looked: AppliedProgram<NeededApproval | null> };

/**
 * Changes the program as a person requests in the dashboard or, if the change needs a second person, stores it as a request; requesting the same
 * change again returns the same request. Throws `invalid` with every fault, `program_changed`, `forbidden` for a limit that only an owner changes,
 * `confirmation_needed` if its owner has not entered a password lately, `requests_full`.
 */
export async function makeChange(
  deps: Parameters<typeof changeProgram>[0] & Pick<Deps, "config">,
  input: ProgramChangeInput,
): Promise<MadeChange> {
  const { by, isNow, document, baseVersion, validFrom } = input;
  const decideNeed = async (tx: Tx, change: ProgramTransition) => {
    const needed = await decideApprovalNeed(tx, deps, change, by);
    if (!isDeepStrictEqual(change.before.staff, change.after.staff)) await checkConfirmed({ ...deps, db: tx }, by); // limits of people
    return needed;
  };
  const looked = await applyProgram<NeededApproval | null>(deps, {
    ...{ document, baseVersion, validFrom, author: by.name, isDryRun: true },
    movers: decideNeed,
  });
  if (looked.movers !== null) return { kind: "requested", uid: await askForChange(deps, input, looked.movers), looked };
  const changed = await changeProgram(deps, {
    ...{ document, baseVersion, validFrom, author: by.name, isDryRun: false, isNow },
    movingMs: MOVING_MS,
    guard: async (change, tx) => {
      if ((await decideNeed(tx, change)) !== null) throw new Problem("program_needs_approval");
    },
  });
  return { kind: "applied", changed };
}

async function askForChange(
  deps: Pick<Deps, "db" | "clock" | "random">,
  { document, baseVersion, isNow, validFrom, by }: ProgramChangeInput,
  { raises }: NeededApproval,
): Promise<string> {
  return deps.db.tx(async (tx) => {
    await lockMover(tx, by.uid);
    const now = deps.clock.now();
    const expiresAt = addDays(now, REQUEST_DAYS, (await readProgram(tx)).store.timeZone);
    const base = newRequest({ uid: deps.random.uid(), by, at: now, expiresAt });
    const request: ProgramRequest = {
      ...base,
      kind: "program",
      baseVersion,
      isNow,
      validFrom,
      raises,
      programVersion: null,
    };
    const same = await selectSameProgram(tx, request, document);
    if (same !== undefined) return same;
    if ((await countWaitingPrograms(tx, now)) >= WAITING_MAX) {
      const detail = `expected fewer than ${WAITING_MAX} changes that wait: let some be decided, or withdraw yours`;
      throw new Problem("requests_full", { faults: [{ detail }] });
    }
    await insertProgramRequest(tx, request, document);
    const subject = { kind: "program", id: String(baseVersion) };
    const after = { request: request.uid, raises };
    await recordAction(tx, deps, { action: "program.change_requested", subject, after });
    return request.uid;
  });
}
