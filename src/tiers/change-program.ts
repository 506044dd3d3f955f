import { isDeepStrictEqual } from "node:util";
import type { BackpressureDeps } from "../db/backpressure.ts";
import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { expirePoints } from "../ledger/expiry/expire-points.ts";
import type { PostingDeps } from "../ledger/queue/posting-batch.ts";
import {
  type AppliedProgram,
  type ApplyProgramInput,
  applyProgram,
  type ProgramTransition,
} from "../program/apply-program.ts";
import { evaluateTiers } from "./evaluate-tiers.ts";
import { insertEvaluation } from "./evaluation-queries.ts";
import { selectStorefrontIds } from "./preview-queries.ts";
import { previewTiers } from "./preview-tiers.ts";
import type { TierMover, TierPreview } from "./tier-preview.ts";

export interface ChangeProgramInput extends Omit<ApplyProgramInput<never>, "movers"> {
  /** Whether the new rules place customers at once, instead of at the next check. */
  readonly isNow: boolean;
  /** Checks the change in its transaction, before anything else is done, and throws if it is not allowed. */
  readonly guard?: (change: ProgramTransition, tx: Tx) => void | Promise<void>;
  /** In a dry run, examines what else the change would do. */
  readonly look?: (tx: Tx, change: ProgramTransition) => Promise<void>;
  /** How long it waits for the moves; a worker then continues them. Absent: until they are done. */
  readonly movingMs?: number;
}

export interface ChangedProgram extends AppliedProgram<unknown> {
  /** For a dry run that changes tiers. */
  readonly preview: (TierPreview & { readonly storefrontIds: ReadonlyMap<string, string> }) | null;
  /** The number of customers moved so far. */
  readonly moved: number;
}

/**
 * Applies a program like `applyProgram`, with its effect on tiers (program.md 6). Only these customers move: the members of deleted tiers,
 * who go to the tier that they match over the past months, and, on request, customers whom the new rules place elsewhere than the old ones.
 * A dry run shows who would move. The moves are recorded in the version's transaction, and done in small transactions after it: if this
 * process dies, a worker finishes them. If expiry dates change, points that are due by the present settings are written off first, for ten seconds at
 * most: they are gone (program.md 5), and longer settings would bring back those that no sweep has reached yet.
 */
export async function changeProgram(
  deps: BackpressureDeps & PostingDeps & Pick<Deps, "db" | "log">,
  { isNow, movingMs, guard, look, ...input }: ChangeProgramInput,
): Promise<ChangedProgram> {
  if (!input.isDryRun) await sweepFirst(deps, input);
  const applied = await applyProgram(deps, {
    ...input,
    movers: async (tx, change) => {
      await guard?.(change, tx);
      if (change.isDryRun) await look?.(tx, change);
      return change.isDryRun ? preview(tx, deps, change, isNow) : requestEvaluation(tx, deps, change, input, isNow);
    },
  });
  const moved = input.isDryRun
    ? 0
    : await evaluateTiers(deps, {
        isLenient: true,
        ...(movingMs === undefined ? {} : { signal: AbortSignal.timeout(movingMs) }),
      });
  return { ...applied, preview: applied.movers, moved };
}

/** How long a change of the program waits for points that are due: the sweep of a large store takes longer. */
const SWEEP_MS = 10_000;

/** If a customer's points cannot be written off, or not all in time, which the log says, the program changes all the same. */
async function sweepFirst(
  deps: BackpressureDeps & PostingDeps & Pick<Deps, "db" | "log">,
  input: ApplyProgramInput<never>,
): Promise<void> {
  const dated = async (_: Tx, { before, after }: ProgramTransition) =>
    !isDeepStrictEqual([before.expiration, before.store.timeZone], [after.expiration, after.store.timeZone]);
  const { movers: changesDates } = await applyProgram(deps, { ...input, isDryRun: true, movers: dated });
  if (changesDates !== true) return;
  const signal = AbortSignal.timeout(SWEEP_MS);
  try {
    await expirePoints(deps, { signal });
    if (signal.aborted)
      deps.log.warn({ ms: SWEEP_MS }, "not all points that were due before a change of the program are written off");
  } catch (error) {
    deps.log.warn({ error }, "points that were due before a change of the program are not written off");
  }
}

async function preview(tx: Tx, deps: Pick<Deps, "clock">, change: ProgramTransition, isNow: boolean) {
  const { before, after } = change;
  if (isDeepStrictEqual([before.tiers, before.store.timeZone], [after.tiers, after.store.timeZone])) return null;
  const found = await previewTiers(tx, deps, change, { isNow });
  const listed: readonly TierMover[] = [...found.now.first, ...found.atCheck.first];
  return { ...found, storefrontIds: await selectStorefrontIds(tx, listed) };
}

async function requestEvaluation(
  tx: Tx,
  deps: Pick<Deps, "clock" | "random">,
  { before, after }: ProgramTransition,
  { author }: Pick<ChangeProgramInput, "author">,
  isNow: boolean,
): Promise<null> {
  const isDeleting = before.tiers.rules.some(({ uid }) => after.tiers.rules.every((rule) => rule.uid !== uid));
  if (!isNow && !isDeleting) return null;
  await insertEvaluation(tx, {
    uid: deps.random.uid(),
    kind: "program",
    at: deps.clock.now(),
    programVersion: after.version,
    beforeVersion: before.version,
    scope: isNow ? "all" : "deleted",
    actor: author,
  });
  return null;
}
