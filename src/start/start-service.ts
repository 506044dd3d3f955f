import { setTimeout as delay } from "node:timers/promises";
import project from "../../package.json" with { type: "json" };
import { buildApp, buildHealthApp, type Feature } from "../app.ts";
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
import { CHORES, dueWorkOf, LOOPS } from "../jobs/schedule.ts";
import { createWakeHub, type WakeHub } from "../jobs/wake-hub.ts";
import { startWorker } from "../jobs/worker.ts";
import { ensureLedgerKey } from "../ledger/ensure-ledger-key.ts";
import { ensureProgram } from "../program/ensure-program.ts";
import { createScrape, type Scrape } from "../prometheus/create-scrape.ts";
import { startMetricsServer } from "../prometheus/routes.ts";
import { createRandom } from "../random.ts";
import { openSandboxClock, type SandboxClock } from "../sandbox/open-sandbox-clock.ts";
import { type KeptSetupCode, keepSetupCode } from "../staff/keep-setup-code.ts";
import { assertDurable } from "./assert-durable.ts";
import { assertPortsFree } from "./assert-ports-free.ts";
import { openDatabase } from "./open-database.ts";

export interface RunningService {
  /** Where the API answers; of a worker its health, undefined where it has no port for that. */
  readonly url: string | undefined;
  /** Where the metrics have a port of their own; undefined: they have none. */
  readonly metricsUrl: string | undefined;
  /** Asked for by the page of the first run; null: there is an owner, or this is a worker. */
  readonly setupCode: KeptSetupCode | null;
  /**
   * Continues to serve requests for `drainMs`, not ready and closing each connection, so that clients turn to another node; then
   * finishes what is in flight and stops everything that was started.
   */
  stop(drainMs?: number): Promise<void>;
}

type Close = () => Promise<void>;

const SANDBOX_POLL_MS = 1_000;
/** The primary answers a reader whose replica is not there so soon. */
const REPLICA_CONNECT_MS = 1_000;
/** No list takes so long: the replica does not answer any more. */
const REPLICA_STATEMENT_MS = 15_000;
/** Connections that wait to be taken: beyond them a client tries again a second later. The system may allow fewer. */
const BACKLOG = 4_096;
/** A connection that a client keeps open after its answer is closed so soon while stopping. */
const IDLE_CLOSE_MS = 100;

/**
 * Starts the service of the settings (program.md 8); a port that is in use is found first. What was started before a failure is stopped again. `tell` is given the store's
 * credential where this start makes it, before it counts: nothing tells it again. `extraRoutes` are those of the bench; `instruments` are
 * what the caller counts in already.
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
    const setupCode = config.role === "worker" ? null : await keepSetupCode(deps);
    if (sandboxClock !== undefined) closes.push(followSandboxClock(sandboxClock, log));
    if (config.role !== "api") {
      const worker = startWorker(deps, { loops: LOOPS, chores: CHORES, wakes });
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

/** Where they are served; undefined: not on a port of their own. */
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

/** Null: no collector is named. Closed last, when there is nothing more to trace. */
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
  const database = await openDatabase(config, log, "service");
  closes.push(() => database.close());
  const db = openPool({
    connection: database.connection,
    ownerConnection: database.migrationConnection,
    connectionsMax: config.poolSize,
    onError: (error) => log.warn({ error }, "a database connection was lost"),
  });
  closes.push(() => db.close());
  if (config.databaseUrl !== undefined) await assertDurable(db, config);
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

/** The primary, or with a replica beside it. */
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

/** Where it listens then; undefined: a worker without a port. */
async function listen(app: App, config: Config, closes: Close[]): Promise<string | undefined> {
  const place = servicePlace(config);
  if (place === undefined) return undefined;
  closes.push(() => closeApp(app));
  const { host, port } = place;
  return app.listen({ host, port, backlog: BACKLOG }).catch((error: unknown) => {
    throw listenError(error, place);
  });
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
