import { setTimeout as delay } from "node:timers/promises";
import { hasOpenCalls } from "./file-calls.ts";

/** A share that was away may answer again meanwhile. */
const PATIENCE_MS = 1_000;
const POLL_MS = 20;

/**
 * Makes sure that the process can end. While a call on a folder has not returned it cannot, because `process.exit` waits for the threads of such calls:
 * then it says so and kills itself. Other work that goes on, also one call after another, ends with `process.exit`. The system ignores the kill where this is
 * its first process, as in a container without an init: then whoever runs the container has to end it.
 */
export async function killIfHanging(
  say: (says: string) => void,
  patienceMs: number = PATIENCE_MS,
  kill: () => void = () => void process.kill(process.pid, "SIGKILL"),
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (hasOpenCalls() && performance.now() < giveUpAt) await delay(POLL_MS);
  if (!hasOpenCalls(patienceMs)) return;
  say("a folder does not answer, and a process that waits for it cannot end: it kills itself");
  kill();
  while (hasOpenCalls(patienceMs)) await delay(POLL_MS);
}
