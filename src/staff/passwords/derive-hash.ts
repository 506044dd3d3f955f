import { type Argon2Parameters, argon2 } from "node:crypto";
import { promisify } from "node:util";
import { createLimiter } from "../../http/limits/limiter.ts";

const derive = promisify(argon2);
/** Each hash takes 19 MiB and one of four threads; the other threads are left for files and host names. */
const RUNNING_MAX = 2;
const WAITING_MAX = 40;
const limit = createLimiter({ running: RUNNING_MAX, waiting: WAITING_MAX });

/**
 * The argon2id hash, off the main thread; a process limits how many run at the same time. 503 with the seconds to wait where too many wait
 * already.
 */
export function deriveHash(parameters: Argon2Parameters): Promise<Buffer> {
  return limit(() => derive("argon2id", parameters));
}
