import { type Argon2Parameters, argon2 } from "node:crypto";
import { promisify } from "node:util";
import { createLimiter } from "../../http/limits/limiter.ts";

const derive = promisify(argon2);

/**
 * Whose password is hashed: that of anybody who claims to be somebody, or that of a person in a session, behind a link, or in a browser that signed
 * this person in before.
 */
export type PasswordSender = "stranger" | "known";

/**
 * Each hash takes 19 MiB and one of four threads; the other threads are left for files and host names. Strangers with many addresses can keep their
 * own thread and queue full, and nobody else's.
 */
const LIMITS = {
  stranger: createLimiter({ running: 1, waiting: 41 }),
  known: createLimiter({ running: 1, waiting: 40 }),
} satisfies Record<PasswordSender, unknown>;

/**
 * The argon2id hash, off the main thread; a process limits how many run at the same time. 503 with the seconds to wait where too many wait
 * already.
 */
export function deriveHash(parameters: Argon2Parameters, sender: PasswordSender): Promise<Buffer> {
  return LIMITS[sender](() => derive("argon2id", parameters));
}
