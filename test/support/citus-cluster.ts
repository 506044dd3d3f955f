import { spawn } from "node:child_process";
import { once } from "node:events";
import { access, mkdir, mkdtemp, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { binariesAt } from "../../src/db/embedded/binaries.ts";
import { chooseLauncher } from "../../src/db/embedded/choose-launcher.ts";
import { spawnOptions } from "../../src/db/embedded/command.ts";
import type { Launcher } from "../../src/db/embedded/launcher.ts";
import { runProgram } from "../../src/db/embedded/run-program.ts";
import { initdbArguments } from "../../src/db/embedded/server-settings.ts";
import type { Log } from "../../src/deps.ts";
import { freePort } from "./free-port.ts";
import { scratchRoot } from "./scratch-root.ts";

/** The folder with `bin/postgres` of a PostgreSQL that has the extension Citus. */
const CITUS_SETTING = "POINTKEEPER_CITUS_PG";
const USER = "pointkeeper";
const START_MS_MAX = 60_000;

/** One server of a cluster, over TCP on this machine. */
export interface CitusNode {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

/** A coordinator and its workers, each a separate PostgreSQL with an empty folder. */
export interface CitusCluster {
  readonly coordinator: CitusNode;
  readonly workers: readonly CitusNode[];
  stop(): Promise<void>;
}

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

/**
 * Returns the folder of the PostgreSQL with Citus.
 * @throws Error if the setting is missing or wrong
 */
export async function findCitus(env: NodeJS.ProcessEnv): Promise<string> {
  const root = env[CITUS_SETTING] ?? "";
  const isThere =
    root !== "" &&
    (await access(join(root, "bin", "postgres")).then(
      () => true,
      () => false,
    ));
  if (isThere) return root;
  const found = root === "" ? "It is not set" : `${root} has no bin/postgres`;
  throw new Error(
    `The tests of Citus need a PostgreSQL 15 or later with the extension Citus 13: set ${CITUS_SETTING} to its folder, the one that holds bin/postgres. ${found}. docs/citus.md says how to build one.`,
  );
}

/** Starts a coordinator and workers with the binaries of a folder. They end with this process. */
export async function startCitusCluster(root: string, workerCount: number): Promise<CitusCluster> {
  const dir = await mkdtemp(join(scratchRoot(), "pointkeeper-citus-"));
  const started: { stop(): Promise<void> }[] = [];
  const stop = async () => {
    for (const server of started.toReversed()) await server.stop();
    await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    const nodes: CitusNode[] = [];
    for (let i = 0; i <= workerCount; i++) {
      const server = await startServer(root, join(dir, i === 0 ? "coordinator" : `worker${i}`));
      started.push(server);
      nodes.push(server.node);
    }
    const [coordinator, ...workers] = nodes;
    if (coordinator === undefined) throw new Error("no server was started");
    return { coordinator, workers, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Creates a database on every node and registers the workers in the coordinator's database of that name. */
export async function createCitusDatabase(
  cluster: Pick<CitusCluster, "coordinator" | "workers">,
  database: string,
): Promise<pg.ClientConfig> {
  for (const node of [cluster.coordinator, ...cluster.workers]) {
    await runOn({ ...node, database: "postgres" }, [`create database ${database}`]);
    await runOn({ ...node, database }, ["create extension citus"]);
  }
  const { host, port } = cluster.coordinator;
  await runOn({ ...cluster.coordinator, database }, [
    `select citus_set_coordinator_host('${host}', ${port})`,
    ...cluster.workers.map((worker) => `select citus_add_node('${worker.host}', ${worker.port})`),
  ]);
  return { ...cluster.coordinator, database, ssl: false };
}

export async function runOn(connection: pg.ClientConfig, statements: readonly string[]): Promise<void> {
  const client = new pg.Client({ ...connection, ssl: false });
  client.on("error", () => {}); // the running statement rejects as well
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}

async function startServer(root: string, home: string): Promise<{ node: CitusNode; stop(): Promise<void> }> {
  await mkdir(home, { mode: 0o700 });
  const launcher = await chooseLauncher({
    dataDir: home,
    binaries: binariesAt(root, "15"),
    log: silent,
    endsWithParent: true,
  });
  const data = join(home, "pg");
  const made = await runProgram(launcher.command(launcher.binaries.initdb, initdbOf(data)));
  if (!made.ok) throw new Error(`initdb of ${root} said:\n${made.output}`);
  const port = await freePort();
  return { node: { host: "127.0.0.1", port, user: USER }, stop: await launch(launcher, { home, data, port }) };
}

/** Like the embedded server's, without the locale provider that PostgreSQL 15 lacks. */
function initdbOf(data: string): string[] {
  return initdbArguments(data, process.platform).filter((argument) => !/-provider=|^--builtin-locale=/.test(argument));
}

async function launch(
  launcher: Launcher,
  { home, data, port }: { home: string; data: string; port: number },
): Promise<() => Promise<void>> {
  const logPath = join(home, "postgres.log");
  const output = await open(logPath, "a");
  const command = launcher.command(launcher.binaries.postgres, ["-D", data, ...serverArguments(port)]);
  const child = spawn(command.file, command.args, {
    ...spawnOptions(command),
    detached: true,
    stdio: ["ignore", output.fd, output.fd],
  });
  const ended = once(child, "exit");
  await output.close();
  const stop = async () => {
    child.kill("SIGINT");
    await ended;
  };
  const giveUpAt = performance.now() + START_MS_MAX;
  for (;;) {
    const isUp = await runOn({ host: "127.0.0.1", port, user: USER, database: "postgres" }, []).then(
      () => true,
      () => false,
    );
    if (isUp) return stop;
    if (child.exitCode !== null || performance.now() > giveUpAt) {
      child.kill("SIGINT");
      throw new Error(`a server of the cluster did not start:\n${await readFile(logPath, "utf8")}`);
    }
    await delay(50);
  }
}

function serverArguments(port: number): string[] {
  const settings = {
    shared_preload_libraries: "citus",
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 300,
    max_prepared_transactions: 300,
    max_worker_processes: 64,
    max_locks_per_transaction: 512,
    shared_buffers: "128MB",
    wal_level: "logical",
    timezone: "UTC",
    jit: "off",
    ssl: "off",
    "citus.node_conninfo": "sslmode=disable",
    "citus.shard_count": 8,
    "citus.node_connection_timeout": "10s",
    "citus.enable_statistics_collection": "off",
    log_min_messages: "error",
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}
