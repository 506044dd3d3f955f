import { sqlState, TIMEOUT_STATE, type Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { runRead } from "../http/run-read.ts";
import { COUNTED_MAX } from "../wire/limits.ts";
import type { ListCountAnswer } from "./list-count-schema.ts";
import { readBounded } from "./read-bounded.ts";

/** Returns how many rows a list has, as its route answers it: null if a statement of `count` takes more than `countMs`, as rare filters may. */
export async function countListed(
  deps: Deps,
  asked: Parameters<typeof runRead>[1],
  count: (tx: Tx) => Promise<number>,
): Promise<ListCountAnswer> {
  try {
    const found = await runRead(deps, asked, (from) => readBounded(from, count, deps.config.limits.countMs));
    return { data: { count: found, counted_to: COUNTED_MAX } };
  } catch (error) {
    if (sqlState(error) !== TIMEOUT_STATE) throw error;
    return { data: { count: null, counted_to: COUNTED_MAX } };
  }
}
