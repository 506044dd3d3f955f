import { execFileSync, spawn } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

// npm run test:install: what people install, made and started in clean folders. It needs the npm registry, git and some minutes.
//   package   npm pack, npm install of the package, npx pointkeeper start
//   image     the build steps of the Dockerfile, then its start, its health check and its stop (the base images are not tried)
const ROOT = join(import.meta.dirname, "..");
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;

function run(cwd: string, file: string, ...args: string[]): void {
  console.log(`    ${[file, ...args].join(" ").slice(0, 150)}`);
  execFileSync(file, args, { cwd, stdio: ["ignore", "ignore", "inherit"], env: cleanEnv() });
}

/** Without what npm sets for the scripts that it runs, and without this project's own programs in the path. */
function cleanEnv(): NodeJS.ProcessEnv {
  const path = (process.env["PATH"] ?? "").split(":").filter((part) => !part.includes("node_modules"));
  const kept = Object.entries(process.env).filter(([name]) => !/^npm_|^POINTKEEPER_|^NODE_/.test(name));
  return { ...Object.fromEntries(kept), PATH: path.join(":") };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === "string") throw new Error("expected a port");
  return address.port;
}

/** Starts the command, waits until the dashboard and `/ready` answer 200, runs `check`, and stops it. Throws where it does not end with 0. */
async function tryService(
  cwd: string,
  [file, ...args]: [string, ...string[]],
  check: (env: NodeJS.ProcessEnv) => void,
) {
  const port = await freePort();
  const env = { ...cleanEnv(), PORT: String(port), POINTKEEPER_DATA_DIR: join(cwd, "store-data") };
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  try {
    for (const path of ["/ready", "/admin", "/docs"]) await waitFor(`http://127.0.0.1:${port}${path}`);
    check(env);
  } finally {
    child.kill("SIGTERM");
  }
  const late = AbortSignal.timeout(STOP_MS_MAX);
  late.onabort = () => child.kill("SIGKILL");
  const code = await ended;
  late.onabort = null;
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
}

async function waitFor(url: string): Promise<void> {
  const until = Date.now() + START_MS_MAX;
  for (;;) {
    const status = await fetch(url).then(
      (answer) => answer.status,
      () => 0,
    );
    if (status === 200) return;
    if (Date.now() > until) throw new Error(`${url}: ${status}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function tryPackage(folder: string): Promise<void> {
  const packed = join(folder, "packed");
  const installed = join(folder, "installed");
  mkdirSync(packed);
  mkdirSync(installed);
  run(ROOT, "npm", "pack", "--pack-destination", packed, "--loglevel", "error");
  const { version }: { version: string } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  run(
    installed,
    "npm",
    "install",
    "--no-audit",
    "--no-fund",
    "--loglevel",
    "error",
    join(packed, `pointkeeper-${version}.tgz`),
  );
  const command = join(installed, "node_modules", ".bin", "pointkeeper");
  await tryService(installed, [command, "start"], (env) => {
    execFileSync(command, ["verify"], { cwd: installed, env, stdio: ["ignore", "ignore", "inherit"] });
  });
}

/** The instructions of the stage of the Dockerfile, lines that continue joined. */
function instructionsOf(stage: RegExp): string[] {
  const joined = readFileSync(join(ROOT, "Dockerfile"), "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "");
  const found = joined.split(/^(?=FROM )/m).find((text) => stage.test(text));
  if (found === undefined) throw new Error(`the Dockerfile has no stage ${stage}`);
  return found.split("\n").filter((line) => line !== "");
}

async function tryImage(folder: string): Promise<void> {
  const context = join(folder, "context");
  const app = join(folder, "app");
  run(folder, "git", "clone", "--quiet", ROOT, context); // nothing that .dockerignore leaves out is in it, but .git
  mkdirSync(app);
  for (const line of instructionsOf(/AS build/)) {
    const [instruction, rest = ""] = line.split(/ (.*)/s);
    if (instruction === "RUN") run(app, "sh", "-c", rest);
    if (instruction === "COPY") copy(context, app, rest.split(" "));
  }
  const last = instructionsOf(/FROM debian/).join("\n");
  const health: string[] = JSON.parse(/HEALTHCHECK.*CMD (\[.*\])/.exec(last)?.[1] ?? "[]");
  const [first = "", ...rest] = health;
  await tryService(folder, [join(app, "bin", "pointkeeper"), "start"], (env) => {
    if (first !== "node") throw new Error("expected a health check by node");
    execFileSync(join(app, "node_modules", ".bin", "node"), rest, { env, stdio: "inherit" });
  });
}

function copy(context: string, app: string, names: string[]): void {
  for (const name of names.slice(0, -1)) {
    const filter = (path: string) => path !== join(context, ".git");
    cpSync(join(context, name), name === "." ? app : join(app, name), { recursive: true, filter });
  }
}

const folder = mkdtempSync(join(tmpdir(), "pointkeeper-install-"));
try {
  for (const [name, attempt] of [
    ["package", tryPackage],
    ["image", tryImage],
  ] as const) {
    console.log(`==> ${name}`);
    const own = join(folder, name);
    mkdirSync(own);
    await attempt(own);
    console.log(`ok  ${name}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
