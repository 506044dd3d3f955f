import { setTimeout as delay } from "node:timers/promises";
import project from "../../package.json" with { type: "json" };
import { buildApp, buildHealthApp, type Feature } from "../app.ts";
import { shipBeforeStart } from "../backup/ship-before-start.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { createDeps } from "../create-deps.ts";
import { ensureStoreCredential, type MadeCredential } from "../credentials/ensure-store-credential.ts";
import { openSecretBox } from "../credentials/open-secret-box.ts";
import { externalConnection } from "../db/connection.ts";
import { type Db, openPool } from "../db/pool.ts";
import { primaryReads, type Reads } from "../db/reads.ts";
import { createReplica } from "../db/replica.ts";
import type { Deps, Log } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { createDraining, type Draining } from "../http/draining.ts";
import { listenError, metricsPlace, servicePlace } from "../http/listen-place.ts";
import { createInstruments, type Instruments } from "../instruments/instruments.ts";
import { openTracer } from "../instruments/open-tracer.ts";
import type { Tracer } from "../instruments/tracer.ts";
import { dueWorkOf, LOOPS, PERIODIC_TASKS } from "../jobs/schedule.ts";
import { createWakeHub, type WakeHub } from "../jobs/wake-hub.ts";
import { startWorker } from "../jobs/worker.ts";
import { ensureLedgerKey } from "../ledger/key/ensure-ledger-key.ts";
import { ensureProgram } from "../program/ensure-program.ts";
import { createScrape, type Scrape } from "../prometheus/create-scrape.ts";
import { startMetricsServer } from "../prometheus/routes.ts";
import { createRandom } from "../random.ts";
import { openSandboxClock, type SandboxClock } from "../sandbox/open-sandbox-clock.ts";
import { type WrittenSetupCode, writeSetupCode } from "../staff/write-setup-code.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { assertPortsFree } from "./assert-ports-free.ts";
import { openDatabase } from "./open-database.ts";
import { watchDatabase } from "./watch-database.ts";

export interface RunningService {
  /** The URL of the API, or of a worker's health routes; undefined: a worker without a port. */
  readonly url: string | undefined;
  /** The URL of the metrics on a separate port; undefined: there is none. */
  readonly metricsUrl: string | undefined;
  /** The code that the first-run page asks for; null: there is an owner, or this is a worker. */
  readonly setupCode: WrittenSetupCode | null;
  /**
   * Serves requests for another `drainMs` milliseconds, as not ready and closing each connection, so that clients move to another node. Then it
   * finishes the requests in progress and stops everything that was started.
   */
  stop(drainMs?: number): Promise<void>;
}

type Close = () => Promise<void>;

const SANDBOX_POLL_MS = 1_000;
/** The primary serves a read if the replica does not connect within this time. */
const REPLICA_CONNECT_MS = 1_000;
/** No list takes this long: the replica is considered down. */
const REPLICA_STATEMENT_MS = 15_000;
/** Connections that wait to be accepted. A client beyond them tries again a second later. The system may allow fewer. */
const BACKLOG = 4_096;
/** How often idle connections are closed while stopping. */
const IDLE_CLOSE_MS = 100;
/** How long a client may take for an answer, or for the head of a request, while the service is stopping. */
const STALLED_CLOSE_MS = 10_000;
/** How long the requests in progress may take. What runs the service gives a stop 60 seconds, and the worker and the database are stopped after them. */
const REQUESTS_MS = 45_000;
/** Connections of the pool are idle once the worker has stopped, and close at once, but those of work that it has stopped without. */
const POOL_MS = 5_000;

/**
 * Starts the service (program.md 8); a port in use is found first. If a step fails, everything that was started is stopped again. `tell` gets the
 * store's credential if this start creates it, before it is valid; it cannot be read later. `extraRoutes` are those of the bench; `instruments` are
 * counters that the caller already uses.
 */
export async function startService(
  config: Config,
  log: Log,
  tell: (made: MadeCredential) => Promise<void>,
  options: { readonly extraRoutes?: Feature; readonly instruments?: Instruments } = {},
): Promise<RunningService> {
  const closes: Close[] = [];
  const stop = async () => {
    for (const close of closes.splice(0).reverse()) await close();
  };
  try {
    await assertPortsFree(config);
    const instruments = options.instruments ?? createInstruments();
    const { deps, wakes, sandboxClock } = await openDeps({ config, log, instruments }, closes);
    await ensureProgram(deps);
    await ensureLedgerKey(deps);
    await ensureStoreCredential(deps, tell);
    const setupCode = config.role === "worker" ? null : await writeSetupCode(deps);
    if (sandboxClock !== undefined) closes.push(followSandboxClock(sandboxClock, log));
    if (config.role !== "api") {
      const worker = startWorker(deps, { loops: LOOPS, tasks: PERIODIC_TASKS, wakes });
      closes.push(() => worker.stop());
    }
    const draining = createDraining();
    const scrape = createScrape(deps);
    const app =
      config.role === "worker"
        ? buildHealthApp(deps, draining, scrape)
        : buildServiceApp(deps, { sandboxClock, draining, scrape, extraRoutes: options.extraRoutes });
    const url = await listen(app, config, closes);
    const metricsUrl = await listenForScrapes(deps, scrape, closes);
    const stopSlowly = async (drainMs = 0) => {
      draining.begin();
      if (config.role !== "worker") await delay(drainMs);
      await stop();
    };
    return { url, metricsUrl, setupCode, stop: stopSlowly };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the URL of the metrics; undefined: no separate port. */
async function listenForScrapes(
  { config, log }: Pick<Deps, "config" | "log">,
  scrape: Scrape,
  closes: Close[],
): Promise<string | undefined> {
  const place = metricsPlace(config.metrics);
  if (place === undefined) return undefined;
  const server = await startMetricsServer({ place, token: config.metrics.token }, scrape, log);
  closes.push(() => server.close());
  return server.url;
}

/** Returns null if no collector is configured. It is closed last, when nothing is traced any more. */
async function openTraces({ traces }: Pick<Config, "traces">, closes: Close[]): Promise<Tracer | null> {
  if (traces === null) return null;
  const tracer = await openTracer({ ...traces, version: project.version });
  closes.push(() => tracer.close());
  return tracer;
}

async function openDeps(
  { config, log, instruments }: Pick<Deps, "config" | "log" | "instruments">,
  closes: Close[],
): Promise<{ deps: Deps; wakes: WakeHub; sandboxClock: SandboxClock | undefined }> {
  const tracer = await openTraces(config, closes);
  await shipBeforeStart({ config, log });
  const database = await openDatabase(config, log, "service");
  closes.push(() => database.close());
  const db = openPool({
    connection: database.connection,
    ownerConnection: database.migrationConnection,
    connectionsMax: config.poolSize,
    onError: (error) => log.warn({ error }, "a database connection was lost"),
  });
  closes.push(() => waitAtMost(db.close(), POOL_MS));
  if (config.databaseUrl !== undefined) closes.push(watchDatabase({ db, log }));
  const random = createRandom();
  const reads = openReads(config, { db, log, nodeUid: random.uid() }, closes);
  const wakes = createWakeHub();
  const sandboxClock = config.sandbox ? await openSandboxClock(db) : undefined;
  const deps = createDeps({
    config,
    db,
    reads,
    clock: sandboxClock ?? systemClock,
    random,
    log,
    instruments,
    tracer,
    wake: wakes.wake,
    secretBox: await openSecretBox(db, config),
  });
  return { deps, wakes, sandboxClock };
}

/** Reads from the primary only, or from a replica too. */
function openReads(
  { replicaUrl, replicaAgeMaxMs: ageMaxMs, role, poolSize, pooler, preparedStatements }: Config,
  { db, log, nodeUid }: { readonly db: Db; readonly log: Log; readonly nodeUid: string },
  closes: Close[],
): Reads {
  if (replicaUrl === undefined) return primaryReads(db);
  const pool = openPool({
    connection: externalConnection(replicaUrl, "DATABASE_REPLICA_URL", {
      fallback_application_name: `pointkeeper ${role}, replica`,
      pooler,
      preparedStatements,
    }),
    connectionsMax: poolSize,
    connectMs: REPLICA_CONNECT_MS,
    statementMs: REPLICA_STATEMENT_MS,
    onError: (error) => log.debug({ error }, "a connection of the replica was lost"),
  });
  const replica = createReplica({ primary: db, replica: pool, nodeUid, ageMaxMs, log });
  closes.push(() => replica.close());
  return replica;
}

function buildServiceApp(
  deps: Deps,
  parts: {
    readonly sandboxClock: SandboxClock | undefined;
    readonly draining: Draining;
    readonly scrape: Scrape;
    readonly extraRoutes: Feature | undefined;
  },
): App {
  const { sandboxClock, draining, scrape, extraRoutes } = parts;
  const sandbox = sandboxClock === undefined ? undefined : { clock: sandboxClock, dueWork: dueWorkOf(deps) };
  return buildApp(deps, { sandbox, draining, scrape, ...(extraRoutes === undefined ? {} : { extraRoutes }) });
}

/** Returns the URL; undefined: a worker without a port. */
async function listen(app: App, config: Config, closes: Close[]): Promise<string | undefined> {
  const place = servicePlace(config);
  if (place === undefined) return undefined;
  closes.push(() => closeApp(app));
  const { host, port } = place;
  return app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
    throw listenError(error, place);
  });
}

/**
 * Stops accepting, finishes the requests in progress, and closes each connection as soon as it is idle. After some time it closes those whose
 * clients do not take their answers or send the rest of a request, because such a client, who may be anybody, would hold up the stop for ever.
 */
async function closeApp(app: App): Promise<void> {
  const timer = setInterval(() => app.server.closeIdleConnections(), IDLE_CLOSE_MS);
  const stalled = setInterval(() => app.closing.closeStalled(), STALLED_CLOSE_MS);
  const last = setTimeout(() => app.closing.closeAll(), REQUESTS_MS);
  try {
    await app.close();
  } finally {
    clearInterval(timer);
    clearInterval(stalled);
    clearTimeout(last);
  }
}

function followSandboxClock(clock: SandboxClock, log: Log): Close {
  const timer = setInterval(() => {
    clock.refresh().catch((error: unknown) => log.warn({ error }, "the sandbox clock could not be read"));
  }, SANDBOX_POLL_MS);
  return async () => clearInterval(timer);
}
