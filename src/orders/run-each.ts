import type { Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";

/** Things that become due, each processed in a separate transaction. */
export interface DueThings<T> {
  /** The name of one of them, for the log. */
  readonly what: string;
  readonly idOf: (thing: T) => string;
  /** Locks the next one except those seen (by id) and those that another node is processing; undefined: there is none. */
  readonly lockNext: (tx: Tx, seen: readonly string[]) => Promise<T | undefined>;
  readonly work: (tx: Tx, thing: T) => Promise<void>;
}

/** The maximum per call, so that a worker can stop in between. */
export const EACH_MAX = 500;

/**
 * Processes what is due, one after the other. One that fails is logged, does not stop others, and is left for the next call. Returns how
 * many were done.
 */
export async function runEach<T>(deps: Pick<Deps, "db" | "log">, things: DueThings<T>): Promise<number> {
  const seen: string[] = [];
  let failures = 0;
  while (seen.length < EACH_MAX) {
    const next: { id?: string } = {};
    const work = async (tx: Tx): Promise<void> => {
      const thing = await things.lockNext(tx, seen);
      if (thing === undefined) return;
      next.id = things.idOf(thing);
      await things.work(tx, thing);
    };
    try {
      await deps.db.tx(work);
    } catch (error) {
      if (next.id === undefined) throw error;
      deps.log.error({ error, id: next.id }, `${things.what} failed`);
      failures += 1;
    }
    if (next.id === undefined) break;
    seen.push(next.id);
  }
  return seen.length - failures;
}
