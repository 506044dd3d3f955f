import { isDatabaseAway } from "../db/database-away.ts";
import { SilentDatabaseError, writableCheck } from "../db/read-only.ts";
import type { Deps } from "../deps.ts";

const LOOK_MS = 2_000;
/** So many in a row, or a database that is slow has two lines every few seconds. */
const GOOD_LOOKS = 2;

/**
 * Says once in the log that an external database does not answer in time or accepts no writes, and once that it does again: each request and each work that
 * fails meanwhile has a line of its own, by the hundred in a minute. Returns a function that ends it.
 */
export function watchDatabase(deps: Pick<Deps, "db" | "log">): () => Promise<void> {
  const { log } = deps;
  let awayFromMs: number | undefined;
  let goodLooks = 0;
  let isLooking = false;
  const isWritable = writableCheck(deps.db);
  async function look(): Promise<void> {
    try {
      await isWritable();
      if (awayFromMs === undefined || ++goodLooks < GOOD_LOOKS) return;
      log.info({ seconds: Math.round((performance.now() - awayFromMs) / 1_000) }, "the database accepts writes again");
      awayFromMs = undefined;
    } catch (error) {
      goodLooks = 0;
      if (awayFromMs !== undefined || !(error instanceof SilentDatabaseError || isDatabaseAway(error))) return;
      awayFromMs = performance.now();
      log.warn({ error }, "the database does not answer in time or accepts no writes: changes get 503 and wait for it");
    }
  }
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    look().finally(() => {
      isLooking = false;
    });
  }, LOOK_MS);
  return async () => clearInterval(timer);
}
