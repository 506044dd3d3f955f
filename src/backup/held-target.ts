import { SilentPlaceError } from "../file-calls.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { answered } from "./answered.ts";
import type { BackupTarget } from "./backup-target.ts";
import { BackupError } from "./manifest.ts";

/** Longer than the files of an interrupted backup take to be removed. */
const DISCARD_MS = 60_000;

/**
 * Returns a target that accepts nothing more after the signal, and fails where its folder does not answer: a backup that waited for it would be noticed only
 * when it is overdue. Requests to a bucket have limits of their own.
 */
export function heldTarget(target: BackupTarget, signal: AbortSignal | undefined, waitMs?: number): BackupTarget {
  let isSilent = false;
  async function held(work: () => Promise<void>): Promise<void> {
    if (signal?.aborted === true) throw new BackupError("The backup was ended early.");
    if (isObjectPlace(target.path)) return work();
    try {
      await answered(target.path, work(), { signal, ...(waitMs === undefined ? {} : { waitMs }) });
    } catch (error) {
      isSilent = error instanceof BackupError && error.cause instanceof SilentPlaceError;
      throw error;
    }
  }
  /** What cannot be removed now is removed before the next scheduled backup. */
  async function discard(): Promise<void> {
    if (isObjectPlace(target.path)) return target.discard();
    if (isSilent) return; // another call would wait too, and take one more thread
    await answered(target.path, target.discard(), { waitMs: DISCARD_MS }).catch(() => {}); // the first error says more
  }
  return {
    path: target.path,
    put: (name, bytes) => held(() => target.put(name, bytes)),
    finish: () => held(target.finish),
    discard,
  };
}
