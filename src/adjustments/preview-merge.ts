import type { Deps } from "../deps.ts";
import { type AskedMerge, type MergeResult, tryMerge } from "./try-merge.ts";

/** What a merge would come to: it is done, read and rolled back (decision 57). Throws as `tryMerge`. */
export async function previewMerge(deps: Deps, asked: AskedMerge): Promise<MergeResult> {
  const tried: MergeResult[] = [];
  try {
    await deps.db.tx(async (tx) => {
      tried.push(await tryMerge(tx, deps, asked));
      throw new Error(ROLLED_BACK);
    });
  } catch (error) {
    const result = tried.at(-1);
    if (result !== undefined && error instanceof Error && error.message === ROLLED_BACK) return result;
    throw error;
  }
  throw new Error("a preview was committed");
}

const ROLLED_BACK = "the preview of a merge is rolled back";
