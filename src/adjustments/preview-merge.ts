import { rolledBack } from "../db/rolled-back.ts";
import type { Deps } from "../deps.ts";
import { type AskedMerge, type MergeResult, tryMerge } from "./try-merge.ts";

/** What a merge would come to: it is done, read and rolled back (decision 57). Throws as `tryMerge`. */
export function previewMerge(deps: Deps, asked: AskedMerge): Promise<MergeResult> {
  return rolledBack(deps.db, (tx) => tryMerge(tx, deps, asked));
}
