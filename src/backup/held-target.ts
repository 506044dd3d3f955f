import { knownSilence } from "../file-calls.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { answered } from "./answered.ts";
import { splitPath } from "./backup-place.ts";
import type { BackupTarget } from "./backup-target.ts";
import { BackupError } from "./manifest.ts";

/** A part that is being written when a backup is stopped is given so long before what was written is removed: 16 MB at 270 kB a second. */
const LAST_PART_MS = 60_000;

/**
 * Returns a target that accepts nothing more after the signal, and fails where its folder does not answer: a backup that waited for it would be noticed only
 * when it is overdue. Requests to a bucket have limits of their own.
 */
export function heldTarget(target: BackupTarget, signal: AbortSignal | undefined, waitMs?: number): BackupTarget {
  const folder = splitPath(target.path).parent; // the next backup is beside this one, on the same disk
  let last: Promise<void> = Promise.resolve();
  async function held(work: () => Promise<void>): Promise<void> {
    if (signal?.aborted === true) throw new BackupError("The backup was ended early.");
    if (isObjectPlace(target.path)) return work();
    const begin = () => {
      last = work();
      return last;
    };
    await answered(target.path, begin, { signal, folder, ...(waitMs === undefined ? {} : { waitMs }) });
  }
  /** What cannot be removed now is removed before the next scheduled backup. */
  async function discard(): Promise<void> {
    if (isObjectPlace(target.path)) return target.discard();
    const ended = last.catch(() => {});
    if (signal?.aborted === true) await waitAtMost(ended, LAST_PART_MS);
    if (knownSilence(folder) !== null) return; // another call would wait too, and take one more thread
    await target.discard().catch(() => {}); // the first error says more
  }
  return {
    path: target.path,
    put: (name, bytes) => held(() => target.put(name, bytes)),
    finish: () => held(target.finish),
    discard,
  };
}
