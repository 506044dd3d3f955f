import { type Argon2Parameters, argon2 } from "node:crypto";
import { promisify } from "node:util";
import { createLimiter } from "../http/limiter.ts";

const derive = promisify(argon2);
/** Each takes 19 MiB and a thread of four: the others are for files and names. */
const RUNNING_MAX = 2;
const WAITING_MAX = 40;
const limit = createLimiter({ running: RUNNING_MAX, waiting: WAITING_MAX });

/** The argon2id hash, off the main thread; at most a few at the same time in a process. 503 with the seconds to wait where too many wait already. */
export function deriveHash(parameters: Argon2Parameters): Promise<Buffer> {
  return limit(() => derive("argon2id", parameters));
}
