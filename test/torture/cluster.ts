import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { type EmbeddedServer, startEmbeddedServer } from "../../src/db/embedded/start-embedded-server.ts";
import { type Db, openPool } from "../../src/db/pool.ts";
import { freePort } from "../support/free-port.ts";
import { type Finished, runCli, type ServiceProcess, spawnService } from "../support/service-process.ts";
import { type CuttingProxy, startProxy } from "./proxy.ts";

export const CREDENTIAL = { key: "pk_torture", secret: "secret-of-the-torture-0123456789abcdef012345" };

/** Three nodes, each behind a proxy of its own, over one database. */
export interface Cluster {
  /** Of the nodes that serve requests. */
  readonly urls: readonly string[];
  readonly proxies: readonly CuttingProxy[];
  readonly nodes: number;
  /** The database beside the nodes, past the proxies. */
  readonly db: Db;
  /** SIGKILL to a node; it is started again by itself. */
  killNode(node: number): Promise<void>;
  /** SIGSTOP for so long. */
  freezeNode(node: number, ms: number): Promise<void>;
  /** SIGKILL to a process of the database that works for a node: the server ends all others and recovers. False: there was none. */
  killBackend(): Promise<boolean>;
  killDatabase(): Promise<void>;
  /** Leaves the database no room for so long; false where its folder has no disk of its own. */
  fillDisk(ms: number): Promise<boolean>;
  /** Waits until every node answers that it is ready. */
  ready(): Promise<void>;
  /** Bytes of resident memory of each node; 0: it is not known here. */
  memory(): Promise<number[]>;
  command(...args: string[]): Promise<Finished>;
  /** Says what happens, where somebody listens. */
  note(line: string): void;
  stop(): Promise<void>;
}

const ROLES = ["all", "api", "worker"] as const;
const DISK_MB = 1_500;
const READY_MS = 150_000;
const READY_ANSWER_MS = 5_000;
const LOG_CHARS = 4_000;
const START_TRIES = 20;
const PORT_TAKEN = /Port \d+ of \S+ is in use/;
const PAUSE_MS = 50;
const KILL_TRIES = 100;
const A_BACKEND = `select pid
from pg_stat_activity
where backend_type = 'client backend'
  and pid <> pg_backend_pid()
order by random()
limit 1`;

/** Starts the database in `folder`, on a small disk of its own where this user may mount one, and the nodes. */
export async function startCluster(
  folder: string,
  withOwnDisk: boolean,
  note: (line: string) => void = () => {},
): Promise<Cluster> {
  const diskDir = join(folder, "disk");
  mkdirSync(diskDir);
  const hasDisk = withOwnDisk && mountDisk(diskDir);
  const dataDir = join(diskDir, "data");
  const server = await startEmbeddedServer({ dataDir });
  const db = openPool({ connection: server.connection, connectionsMax: 3 });
  const { host = "", port = 5432, user = "", database = "" } = server.connection;
  const proxies = await Promise.all(ROLES.map(() => startProxy(`${host}/.s.PGSQL.${port}`)));
  const ports = await Promise.all(ROLES.map(freePort));
  const envOf = (node: number): Record<string, string> => ({
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${proxies[node]?.port}/${database}`,
    POINTKEEPER_DATA_DIR: join(folder, `node${node}`),
    POINTKEEPER_SECRET_KEY: "a secret key of the torture, 0123456789",
    POINTKEEPER_API_KEY: CREDENTIAL.key,
    POINTKEEPER_API_SECRET: CREDENTIAL.secret,
    POINTKEEPER_ALLOW_PRIVATE_CALLBACKS: "1",
    POINTKEEPER_DATABASE_WAIT_SECONDS: "120",
    POINTKEEPER_SANDBOX: "1",
    LOG_LEVEL: "error",
    PORT: String(ports[node]),
    ...(ROLES[node] === "worker" ? { POINTKEEPER_HEALTH_PORT: String(ports[node]) } : {}),
  });
  const urlOf = (node: number) => `http://127.0.0.1:${ports[node]}`;
  const served = ROLES.flatMap((role, node) => (role === "worker" ? [] : [node]));
  const urls = served.map(urlOf);
  async function move(node: number): Promise<void> {
    ports[node] = await freePort();
    urls.splice(0, urls.length, ...served.map(urlOf));
  }
  const start = (node: number) =>
    startNode({ env: () => envOf(node), args: ["--role", ROLES[node] ?? "all"], note, move: () => move(node) });
  const nodes: Promise<ServiceProcess>[] = [];
  for (const [node] of ROLES.entries()) {
    nodes.push(start(node));
    await nodes[node]; // the first one migrates
  }
  let isStopping = false;

  async function killNode(node: number): Promise<void> {
    const running = await nodes[node];
    running?.child.kill("SIGKILL");
    await running?.ended;
    if (!isStopping) nodes[node] = start(node);
  }
  async function freezeNode(node: number, ms: number): Promise<void> {
    const running = await nodes[node];
    running?.child.kill("SIGSTOP");
    await delay(ms);
    running?.child.kill("SIGCONT");
  }
  async function killBackend(): Promise<boolean> {
    for (let tries = 0; tries < KILL_TRIES; tries++) {
      const [row] = await db.query<{ pid: number }>(A_BACKEND).catch(() => []);
      if (row !== undefined && kill(row.pid)) return true;
      await delay(PAUSE_MS);
    }
    return false;
  }
  async function killDatabase(): Promise<void> {
    const pid = server.pid();
    if (pid !== undefined) kill(pid);
    while (server.pid() === pid || server.pid() === undefined) await delay(PAUSE_MS);
  }
  async function fillDisk(ms: number): Promise<boolean> {
    if (!hasDisk) return false;
    const ballast = join(diskDir, "ballast");
    const { bavail, bsize } = statfsSync(diskDir);
    try {
      writeFileSync(ballast, Buffer.alloc(Number(bavail) * Number(bsize)));
    } catch {} // it became full in between, which is what is wanted
    await delay(ms);
    rmSync(ballast, { force: true });
    return true;
  }
  async function ready(): Promise<void> {
    for (const [node] of ROLES.entries()) {
      await nodes[node];
      const until = performance.now() + READY_MS;
      for (;;) {
        const answer = await readiness(urlOf(node));
        if (answer === "ready") break;
        if (performance.now() > until)
          throw new Error(`node ${node} is not ready: ${answer}\n${await lastWords(nodes[node])}`);
        await delay(PAUSE_MS);
      }
    }
  }
  return {
    urls,
    proxies,
    nodes: ROLES.length,
    db,
    killNode,
    freezeNode,
    killBackend,
    killDatabase,
    fillDisk,
    ready,
    memory: async () => Promise.all(nodes.map(async (node) => residentBytes((await node).child.pid))),
    command: (...args) =>
      runCli(args, {
        ...envOf(0),
        DATABASE_URL: `postgresql://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`,
      }),
    note,
    async stop() {
      isStopping = true;
      await endNodes(nodes);
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await db.close();
      await endServer(server);
      if (hasDisk) execFileSync("umount", [diskDir]);
    },
  };
}

/**
 * A node that is started while the database is away, or whose connection is lost in the middle, ends: it is started again. Where another
 * program has taken its port meanwhile, `move` gives it another.
 */
export async function startNode({
  env,
  args,
  note,
  move,
}: {
  readonly env: () => Record<string, string>;
  readonly args: readonly string[];
  readonly note: (line: string) => void;
  readonly move: () => Promise<void>;
}): Promise<ServiceProcess> {
  for (let tries = 1; ; tries++) {
    try {
      return await spawnService(env(), args);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      note(`start ${args.join(" ")}: ${message}`);
      if (tries === START_TRIES) throw error;
      if (PORT_TAKEN.test(message)) await move();
    }
  }
}

async function endNodes(nodes: readonly Promise<ServiceProcess>[]): Promise<void> {
  for (const starting of nodes) {
    const node = await starting.catch(() => undefined);
    node?.child.kill("SIGKILL");
    await node?.ended;
  }
}

async function endServer(server: EmbeddedServer): Promise<void> {
  await server.stop();
}

/** How a node ended, where it did, and the end of what it printed. */
async function lastWords(starting: Promise<ServiceProcess> | undefined): Promise<string> {
  const node = await starting;
  if (node === undefined) return "it was never started";
  const { exitCode, signalCode } = node.child;
  const end =
    exitCode === null && signalCode === null
      ? "it runs"
      : `it ended: ${exitCode ?? signalCode} ${(await node.ended).stderr}`;
  return `${end}\n${node.stdout().slice(-LOG_CHARS)}`;
}

/** "ready", or what the node says instead. */
async function readiness(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/ready`, { signal: AbortSignal.timeout(READY_ANSWER_MS) });
    return answer.status === 200 ? "ready" : `${answer.status} ${await answer.text()}`;
  } catch (error) {
    return error instanceof Error ? `${error.message} ${String(error.cause ?? "")}` : String(error);
  }
}

function mountDisk(dir: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", dir], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

function kill(pid: number): boolean {
  try {
    return process.kill(pid, "SIGKILL");
  } catch {
    return false;
  }
}

async function residentBytes(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
}
