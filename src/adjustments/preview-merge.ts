import { rolledBack } from "../db/rolled-back.ts";
import type { Deps } from "../deps.ts";
import { type MergeInput, type MergeResult, tryMerge } from "./try-merge.ts";

/** Returns the result of a merge, which is done, read and rolled back (decision 57). Throws like `tryMerge`. */
export function previewMerge(deps: Deps, asked: MergeInput): Promise<MergeResult> {
  return rolledBack(deps.db, (tx) => tryMerge(tx, deps, asked));
}
