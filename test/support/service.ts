import type pg from "pg";
import { buildApp, type Feature } from "../../src/app.ts";
import { type Config, readConfig } from "../../src/config.ts";
import { createDeps } from "../../src/create-deps.ts";
import { ensureStoreCredential } from "../../src/credentials/ensure-store-credential.ts";
import type { Db } from "../../src/db/pool.ts";
import type { Reads } from "../../src/db/reads.ts";
import type { Deps } from "../../src/deps.ts";
import type { App } from "../../src/http/app-type.ts";
import { dueWorkOf, LOOPS, PERIODIC_TASKS } from "../../src/jobs/schedule.ts";
import { createWakeHub } from "../../src/jobs/wake-hub.ts";
import { startWorker } from "../../src/jobs/worker.ts";
import { ensureLedgerKey } from "../../src/ledger/key/ensure-ledger-key.ts";
import { createLog } from "../../src/log.ts";
import { applyProgram } from "../../src/program/apply-program.ts";
import { ensureProgram } from "../../src/program/ensure-program.ts";
import { createRandom } from "../../src/random.ts";
import { openSandboxClock } from "../../src/sandbox/open-sandbox-clock.ts";
import { ensureSetupCode } from "../../src/staff/ensure-setup-code.ts";
import { basic, type Client, createClient } from "./client.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { testSecretBox } from "./secret-box.ts";

export interface TestServiceOptions {
  /** With `sandbox` the service uses the sandbox clock, and `clock` has no effect. */
  readonly config?: Partial<Config>;
  /** The clock's initial time. */
  readonly now?: string;
  /** A complete or partial program document, applied over the default one. */
  readonly program?: object;
  /** Whether background work runs; yes when absent. */
  readonly worker?: boolean;
  /** A database that the caller drops; absent: a new one that is dropped with the service. */
  readonly database?: TestDatabase;
  /** With a replica; absent: everything is read from the database. */
  readonly reads?: Reads;
  readonly extraRoutes?: Feature;
  /** The lowest level logged; errors when absent. */
  readonly logLevel?: string;
  /** Receives the lines of the log; absent: errors are printed. */
  readonly log?: (line: string) => void;
}

export interface TestService {
  readonly url: string;
  readonly deps: Deps;
  readonly app: App;
  readonly clock: TestClock;
  /** Authenticated as the store. */
  readonly client: Client;
  readonly credential: { readonly key: string; readonly secret: string };
  readonly connection: pg.ClientConfig;
  readonly database: TestDatabase;
  /** The database as the owner of its tables: for what the service's role may not do. */
  readonly owner: Db;
  /** The code for the first-run page; null: the database already has people. */
  readonly setupCode: string | null;
  stop(): Promise<void>;
}

/** A slow machine counts rows in time, too. */
const COUNT_MS = 60_000;
const CREDENTIAL = { key: "pk_test", secret: "test-secret-of-the-store-0123456789abcdef" };

/** Starts the real service in this process, on a separate port and a new database, with a clock that the test sets. */
export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const database = options.database ?? (await createTestDatabase());
  const clock = createTestClock(options.now);
  const wakes = createWakeHub();
  const read = readConfig({
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    PORT: "0",
  });
  const config: Config = {
    ...read,
    limits: { ...read.limits, countMs: COUNT_MS },
    dataDir: "/nonexistent", // a developer's own store must not be touched
    allowPrivateCallbacks: true,
    ...options.config,
  };
  const sandboxClock = config.sandbox ? await openSandboxClock(database.db) : undefined;
  const deps = createDeps({
    config,
    db: database.db,
    ...(options.reads === undefined ? {} : { reads: options.reads }),
    clock: sandboxClock ?? clock,
    random: createRandom(),
    log: createLog({
      level: options.logLevel ?? "error",
      pretty: true,
      ...(options.log === undefined ? {} : { write: options.log }),
    }),
    wake: wakes.wake,
    secretBox: testSecretBox,
  });
  await ensureProgram(deps);
  await ensureLedgerKey(deps);
  if (options.program !== undefined)
    await applyProgram(deps, { document: options.program, author: "test", isDryRun: false });
  await ensureStoreCredential(deps);
  const setupCode = await ensureSetupCode(deps);
  const app = buildApp(deps, {
    sandbox: sandboxClock === undefined ? undefined : { clock: sandboxClock, dueWork: dueWorkOf(deps) },
    ...(options.extraRoutes === undefined ? {} : { extraRoutes: options.extraRoutes }),
  });
  const url = await app.listen({ host: "127.0.0.1", port: 0 });
  const worker =
    options.worker === false ? undefined : startWorker(deps, { loops: LOOPS, tasks: PERIODIC_TASKS, wakes });
  async function stop(): Promise<void> {
    await app.close();
    await worker?.stop();
    if (options.database === undefined) await database.drop();
  }
  const client = createClient(url, basic(CREDENTIAL));
  const { connection, owner } = database;
  return { url, deps, app, clock, client, credential: CREDENTIAL, connection, database, owner, setupCode, stop };
}
