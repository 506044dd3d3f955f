import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { delimiter, join } from "node:path";
import { findBinaries } from "../../src/db/embedded/binaries.ts";
import { chooseLauncher } from "../../src/db/embedded/choose-launcher.ts";
import { spawnOptions } from "../../src/db/embedded/command.ts";
import { SERVICE_ROLE } from "../../src/db/roles/service-grants.ts";
import { createLog } from "../../src/log.ts";
import type { TestDatabase } from "../support/database.ts";
import { freePort } from "../support/free-port.ts";
import { makeFolder } from "../support/service-process.ts";
import { waitUntil } from "../support/wait-until.ts";

/** Where packages put it: `/usr/sbin` is not on everybody's PATH. */
const FOLDERS = ["/usr/sbin", "/usr/bin", "/usr/local/bin", "/opt/homebrew/bin"];

/** Where this machine has a PgBouncer. */
function findPgbouncer(): string {
  const folders = [...(process.env["PATH"] ?? "").split(delimiter), ...FOLDERS];
  const found = folders.map((folder) => join(folder, "pgbouncer")).find((path) => existsSync(path));
  if (found === undefined) throw new Error("npm run test:pooler needs PgBouncer: apt-get install pgbouncer");
  return found;
}

export interface PoolerOptions {
  readonly mode: "transaction" | "session" | "statement";
  /** Whether it accepts the options of a session's start and ignores them. */
  readonly dropsOptions?: boolean;
}

export interface Pooler {
  /** Of the test's database, as the service's role. */
  readonly url: string;
  stop(): Promise<void>;
}

/** A real PgBouncer before a test's database, with fewer server connections than the service opens to it. */
export async function startPgbouncer(
  { connection }: Pick<TestDatabase, "connection">,
  options: PoolerOptions,
): Promise<Pooler> {
  const folder = await makeFolder();
  const port = await freePort();
  const ini = join(folder.path, "pgbouncer.ini");
  const users = join(folder.path, "users.txt");
  await writeFile(users, `"${SERVICE_ROLE}" ""\n`);
  await writeFile(
    ini,
    `[databases]
* = host=${connection.host} port=${connection.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = ${options.mode}
default_pool_size = ${options.mode === "session" ? 40 : 4}
${options.dropsOptions === true ? "ignore_startup_parameters = options" : ""}
`,
  );
  const log = createLog({ level: "error", pretty: true });
  const binaries = await findBinaries();
  const launcher = await chooseLauncher({ dataDir: folder.path, binaries, log, endsWithParent: true });
  const command = launcher.command(findPgbouncer(), ["-q", ini]);
  const child = spawn(command.file, command.args, { ...spawnOptions(command), stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await waitUntil(() => answers(port));
  return {
    url: `postgresql://${SERVICE_ROLE}@127.0.0.1:${port}/${connection.database}`,
    async stop() {
      child.kill("SIGTERM");
      await ended;
      await folder.remove();
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
