import { systemClock } from "../../src/clock.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import type { Db } from "../../src/db/pool.ts";
import type { Deps } from "../../src/deps.ts";
import type { WakeHub } from "../../src/jobs/wake-hub.ts";
import { createRandom } from "../../src/random.ts";
import { testSecretBox } from "./secret-box.ts";

const API_KEY = "pk_test";
export const API_SECRET = "the api secret key of the tests, in its UTF-8 bytes: é";
export const AUTHORIZATION = `Basic ${Buffer.from(`${API_KEY}:${API_SECRET}`).toString("base64")}`;

/** The dependencies of webhook verbs in tests: private callbacks are allowed, and the clock stands still once it is set. */
export function webhookDeps(
  db: Db,
  options: { hub: WakeHub; config?: Partial<Config>; setTo?: () => Temporal.Instant | undefined },
): Deps {
  const quiet = () => {};
  const env = { POINTKEEPER_API_KEY: API_KEY, POINTKEEPER_API_SECRET: API_SECRET, PUBLIC_URL: "https://points.test" };
  return createDeps({
    config: { ...readConfig(env), allowPrivateCallbacks: true, ...options.config },
    db,
    clock: { now: () => options.setTo?.() ?? systemClock.now() },
    random: createRandom(),
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
    wake: options.hub.wake,
    secretBox: testSecretBox,
  });
}

/** An export's URL that contains when it was made. */
export function exportUrlOf(exportUid: string, at: Temporal.Instant): string {
  return `https://points.test/exports/${exportUid}?at=${at.toString()}`;
}
