import { setTimeout as delay } from "node:timers/promises";
import { hasOpenCalls } from "./file-calls.ts";

/** A share that was away may answer again meanwhile. */
const PATIENCE_MS = 1_000;
const POLL_MS = 20;

/**
 * Makes sure that the process can end. While a call on a folder has not returned it cannot, because `process.exit` waits for the threads of such calls:
 * then it says so and kills itself.
 */
export async function killIfHanging(say: (says: string) => void, patienceMs = PATIENCE_MS): Promise<void> {
  const giveUpAt = performance.now() + patienceMs;
  while (hasOpenCalls()) {
    if (performance.now() >= giveUpAt) {
      say("a folder does not answer, and a process that waits for it cannot end: it kills itself");
      process.kill(process.pid, "SIGKILL");
    }
    await delay(POLL_MS);
  }
}
