import { buildApp, type Feature } from "../app.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createDeps } from "../create-deps.ts";
import { openPool } from "../db/pool.ts";
import type { Deps, Log } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { CHORES, dueWorkOf, LOOPS } from "../jobs/schedule.ts";
import { createWakeHub, type WakeHub } from "../jobs/wake-hub.ts";
import { startWorker } from "../jobs/worker.ts";
import { createRandom } from "../random.ts";
import { openSandboxClock, type SandboxClock } from "../sandbox/open-sandbox-clock.ts";
import { ensureProgram } from "../shop/ensure-program.ts";
import { ensureStoreCredential, type MadeCredential } from "../shop/ensure-store-credential.ts";
import { readSecretKey } from "../shop/read-secret-key.ts";
import { createSecretBox } from "../shop/secret-box.ts";
import { openDatabase } from "./open-database.ts";

export interface RunningService {
  /** Where the API answers; undefined for a worker, which does not listen. */
  readonly url: string | undefined;
  /** Finishes what is in flight, then stops everything that was started. */
  stop(): Promise<void>;
}

type Close = () => Promise<void>;

const SANDBOX_POLL_MS = 1_000;
/** Connections that wait to be taken: beyond them a client tries again a second later. The system may allow fewer. */
const BACKLOG = 4_096;
/** A connection that a client keeps open after its answer is closed so soon while stopping. */
const IDLE_CLOSE_MS = 100;

/**
 * Starts the service of the settings (program.md 8). What was started before a failure is stopped again. `onMade` is told the
 * store's credential as soon as this start has made it, whatever fails afterwards: nothing tells it again. `extraRoutes` are
 * those of the bench.
 */
export async function startService(
  config: Config,
  log: Log,
  onMade: (made: MadeCredential) => void,
  options: { readonly extraRoutes?: Feature } = {},
): Promise<RunningService> {
  const closes: Close[] = [];
  const stop = async () => {
    for (const close of closes.splice(0).reverse()) await close();
  };
  try {
    const { deps, wakes, sandboxClock } = await openDeps(config, log, closes);
    await ensureProgram(deps);
    const made = await ensureStoreCredential(deps);
    if (made !== null) onMade(made);
    if (sandboxClock !== undefined) closes.push(followSandboxClock(sandboxClock, log));
    if (config.role !== "api") {
      const worker = startWorker(deps, { loops: LOOPS, chores: CHORES, wakes });
      closes.push(() => worker.stop());
    }
    const url = config.role === "worker" ? undefined : await listen(deps, sandboxClock, options.extraRoutes, closes);
    return { url, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function openDeps(
  config: Config,
  log: Log,
  closes: Close[],
): Promise<{ deps: Deps; wakes: WakeHub; sandboxClock: SandboxClock | undefined }> {
  const database = await openDatabase(config, log, "service");
  closes.push(() => database.close());
  const db = openPool({
    connection: database.connection,
    onError: (error) => log.warn({ error }, "a database connection was lost"),
  });
  closes.push(() => db.close());
  const wakes = createWakeHub();
  const sandboxClock = config.sandbox ? await openSandboxClock(db) : undefined;
  const deps = createDeps({
    config,
    db,
    clock: sandboxClock ?? systemClock,
    random: createRandom(),
    log,
    wake: wakes.wake,
    secretBox: createSecretBox(await readSecretKey(config)),
  });
  return { deps, wakes, sandboxClock };
}

async function listen(
  deps: Deps,
  sandboxClock: SandboxClock | undefined,
  extraRoutes: Feature | undefined,
  closes: Close[],
): Promise<string> {
  const sandbox = sandboxClock === undefined ? undefined : { clock: sandboxClock, dueWork: dueWorkOf(deps) };
  const app = buildApp(deps, { sandbox, ...(extraRoutes === undefined ? {} : { extraRoutes }) });
  closes.push(() => closeApp(app));
  return app.listen({ host: deps.config.host, port: deps.config.port, backlog: BACKLOG });
}

/** Stops accepting, answers what is in flight, and closes each connection as soon as it is idle. */
async function closeApp(app: App): Promise<void> {
  const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_CLOSE_MS);
  await app.close();
  clearInterval(timer);
}

function followSandboxClock(clock: SandboxClock, log: Log): Close {
  const timer = setInterval(() => {
    clock.refresh().catch((error: unknown) => log.warn({ error }, "the sandbox clock could not be read"));
  }, SANDBOX_POLL_MS);
  return async () => clearInterval(timer);
}
