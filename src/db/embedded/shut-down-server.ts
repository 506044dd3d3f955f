import { rmdir } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { RunningServer, ServerPlace } from "./ensure-server.ts";
import { isServerOf } from "./is-server-of.ts";

/** Both together are less than the minute that supervisors grant after the drain (docs/deploy.md). */
const FAST_MS = 45_000;
/** The server kills its own processes 5 seconds after the begin of an immediate shutdown. */
const IMMEDIATE_MS = 12_000;
const POLL_MS = 25;

/**
 * Stops the server with a fast shutdown (SIGINT), which does not wait for clients and ends with a checkpoint. PostgreSQL may wait for ever
 * in a shutdown that began while one of its processes had crashed (docs/reliability.md), and the checkpoint may take long on a slow disk.
 * So after `fastMs` an immediate shutdown (SIGQUIT) follows, after which the next start recovers from the log. Nothing that was committed
 * is lost.
 */
export async function shutDownServer(
  { pgDir, log }: Pick<ServerPlace, "pgDir" | "log">,
  { pid, socketDir }: Pick<RunningServer, "pid" | "socketDir">,
  fastMs = FAST_MS,
): Promise<void> {
  if (!(await hasEnded(pgDir, pid, "SIGINT", fastMs))) {
    log.warn({ pid }, "the embedded database does not stop: it is shut down without a checkpoint");
    if (!(await hasEnded(pgDir, pid, "SIGQUIT", IMMEDIATE_MS))) {
      log.error({ pid }, "the embedded database is still running");
      return;
    }
  }
  await rmdir(socketDir).catch(() => {}); // one outside the data folder would stay for ever; the next start makes it anew
}

async function hasEnded(pgDir: string, pid: number, signal: NodeJS.Signals, patienceMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + patienceMs;
  if (await isServerOf(pid, pgDir)) process.kill(pid, signal);
  while (await isServerOf(pid, pgDir)) {
    if (performance.now() > giveUpAt) return false;
    await delay(POLL_MS);
  }
  return true;
}
