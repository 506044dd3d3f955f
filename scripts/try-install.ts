import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

// npm run test:install [-- package|upgrade|image ...]: builds and starts what people install, in clean folders; all of it or these parts. Needs the
// npm registry, git and some minutes.
// package npm pack, then the package in an empty folder, as an ordinary user and (if run by root) as root too: install, start, requests, doctor,
// backup, verify, stop, restore
// upgrade a clone without development packages is installed, its sources change, and it is installed again in place
// image the build steps of the Dockerfile, then its start, its health check and its stop (the base images are not tested)
const ROOT = join(import.meta.dirname, "..");
const START_MS_MAX = 60_000;
const STOP_MS_MAX = 20_000;
const COMMAND_MS_MAX = 300_000;

function run(cwd: string, file: string, ...args: string[]): void {
  console.log(`    ${[file, ...args].join(" ").slice(0, 150)}`);
  execFileSync(file, args, { cwd, stdio: ["ignore", "ignore", "inherit"], env: cleanEnv() });
}

/** The environment without what npm sets for its scripts, and without this project's programs in the path. */
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

interface Start {
  readonly cwd: string;
  readonly command: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Starts the command, waits until the dashboard and `/ready` respond with 200, runs `check`, and stops it. Throws if it does not exit with 0. */
async function tryService({ cwd, command, env }: Start, check: (url: string) => Promise<void>): Promise<void> {
  const [file = "", ...args] = command;
  const child = spawn(file, args, { cwd, env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const url = `http://127.0.0.1:${env["PORT"]}`;
  try {
    for (const path of ["/ready", "/admin", "/docs"]) await waitFor(`${url}${path}`);
    await check(url);
  } finally {
    child.kill("SIGTERM");
  }
  const late = AbortSignal.timeout(STOP_MS_MAX);
  late.onabort = () => child.kill("SIGKILL");
  const code = await ended;
  late.onabort = null;
  if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}`);
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

/** The allowed contents of the package: the program, what it reads, and what an operator copies from it. */
const PACKED =
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|openapi\.json|bin\/pointkeeper|lib\/[\w./-]+\.js|migrations\/\d{4}_[\w-]+\.sql|dashboard\/dist\/.+|docs\/[\w-]+\.md|deploy\/systemd\/.+|ops\/.+)$/;
const NEEDED = ["bin/pointkeeper", "lib/cli.js", "migrations/0001_foundation.sql", "dashboard/dist/index.html"];
const PACKED_BYTES_MAX = 4_000_000;

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the project and checks the contents of the package. */
function pack(folder: string): string {
  const args = ["pack", "--json", "--pack-destination", folder, "--loglevel", "error"];
  const text = execFileSync("npm", args, { cwd: ROOT, env: cleanEnv(), encoding: "utf8", maxBuffer: 1e8 });
  const [packed]: Packed[] = JSON.parse(text.slice(text.indexOf("\n[\n") + 1)); // the output of `prepare` comes before
  if (packed === undefined) throw new Error("npm pack made no package");
  const paths = packed.files.map(({ path }) => path);
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
  console.log(`    ${paths.length} files, ${megabytes(packed.size)}, unpacked ${megabytes(packed.unpackedSize)}`);
  const strangers = paths.filter((path) => !PACKED.test(path) || path.includes(".test."));
  const absent = NEEDED.filter((path) => !paths.includes(path));
  if (strangers.length + absent.length > 0)
    throw new Error(`the package has ${strangers.slice(0, 9).join(", ")}; it lacks ${absent.join(", ")}`);
  if (packed.size > PACKED_BYTES_MAX) throw new Error(`the package is larger than ${megabytes(PACKED_BYTES_MAX)}`);
  return join(folder, packed.filename);
}

/** The user who runs the commands: root, or an ordinary user id without an entry on the machine. */
interface Person {
  readonly name: string;
  readonly prefix: readonly string[];
}

const ORDINARY_ID = "64321";

function people(): readonly Person[] {
  if (process.getuid?.() !== 0) return [{ name: "this user", prefix: [] }];
  const ids = [`--reuid=${ORDINARY_ID}`, `--regid=${ORDINARY_ID}`, "--clear-groups"];
  return [
    { name: "an ordinary user", prefix: ["setpriv", ...ids] },
    { name: "root", prefix: [] },
  ];
}

async function tryPackage(folder: string): Promise<void> {
  const path = pack(folder);
  for (const person of people()) {
    console.log(`    as ${person.name}`);
    const home = join(folder, person.name.replaceAll(" ", "-"));
    mkdirSync(home);
    if (person.prefix.length > 0) chownSync(home, Number(ORDINARY_ID), Number(ORDINARY_ID));
    await liveThroughADay(home, person, path);
  }
}

/** Installs the package and uses it like an operator and a store: a start, requests, a backup, a stop, and a restore of the backup. */
async function liveThroughADay(home: string, person: Person, packed: string): Promise<void> {
  const env = { ...cleanEnv(), HOME: home, POINTKEEPER_DATA_DIR: join(home, "store-data") };
  const asPerson = (command: readonly string[], settings: NodeJS.ProcessEnv = {}, isFine = [0]) => {
    const [file = "", ...args] = [...person.prefix, ...command];
    const done = spawnSync(file, args, {
      cwd: home,
      env: { ...env, ...settings },
      encoding: "utf8",
      timeout: COMMAND_MS_MAX,
    });
    if (!isFine.includes(done.status ?? -1))
      throw new Error(`${command.join(" ")} ended with ${done.status}: ${done.stdout}${done.stderr}`);
    return done.stdout;
  };
  asPerson(["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error", packed]);
  const version = asPerson(["npx", "--no-install", "pointkeeper", "--version"]);
  console.log(`    pointkeeper --version: ${version.trim()}`);
  const port = String(await freePort());
  // not through npx, whose shell does not pass signals on
  const command = [...person.prefix, join(home, "node_modules", ".bin", "pointkeeper"), "start"];
  await tryService({ cwd: home, command, env: { ...env, PORT: port } }, async (url) => {
    await spendADay(url, readFileSync(join(home, "store-data", "first-credential"), "utf8"));
    asPerson(["npx", "--no-install", "pointkeeper", "doctor"], { PORT: port }, [0, 1]); // 1: there is no backup yet
    asPerson(["npx", "--no-install", "pointkeeper", "backup", "backup"]);
    asPerson(["npx", "--no-install", "pointkeeper", "verify"]);
  });
  const restored = { POINTKEEPER_DATA_DIR: join(home, "restored") };
  asPerson(["sh", "-c", "mkdir -m 700 restored && cp -p store-data/secret.key restored"]);
  asPerson(["npx", "--no-install", "pointkeeper", "restore", "backup"], restored);
  const verified = asPerson(["npx", "--no-install", "pointkeeper", "verify"], restored);
  const shown = asPerson(["npx", "--no-install", "pointkeeper", "customer", "c1", "--json"], restored);
  if (!shown.includes('"available":70')) throw new Error(`the restored customer is ${shown}${verified}`);
}

/** Creates a customer, awards 100 points once although the request is sent twice, spends 30, and checks the balance of 70. */
async function spendADay(url: string, credential: string): Promise<void> {
  const [, key, secret] = /key\s+(\S+)\s+secret\s+(\S+)/.exec(credential) ?? [];
  const authorization = `Basic ${Buffer.from(`${key}:${secret}`).toString("base64")}`;
  const send = async (method: string, path: string, body?: object, headers = {}) => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const all = { authorization, "content-type": "application/json", ...headers };
    const answer = await fetch(`${url}/api/storefront/${path}`, { method, headers: all, ...sent });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return text;
  };
  await send("PUT", "customers/c1", { name: "Hanako" });
  const award = { customer_id: "c1", point_value: 100 };
  for (let n = 0; n < 2; n++) await send("POST", "point_allotments", award, { "idempotency-key": "award-1" });
  await send("POST", "point_allotments", { customer_id: "c1", point_value: -30 });
  await send("GET", "point_allotments?per_page=20");
  const balance = await send("GET", "point_balances/c1");
  if (!balance.includes('"point_balance":70')) throw new Error(`the balance is ${balance}`);
}

/** Checks that the dashboard after an upgrade is the new one, and that open pages of the previous one can still load their files. */
async function tryUpgrade(folder: string): Promise<void> {
  const clone = join(folder, "clone");
  run(folder, "git", "clone", "--quiet", ROOT, clone);
  const install = () => {
    run(clone, "npm", "ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel", "error");
    const builds = readdirSync(join(clone, "lib")).filter((name) => name.startsWith("service-"));
    const assets = readdirSync(join(clone, "dashboard", "dist", "assets"));
    return { builds, assets, page: readFileSync(join(clone, "dashboard", "dist", "index.html"), "utf8") };
  };
  const first = install();
  const again = install();
  if (again.page !== first.page) throw new Error("the same sources were built to another dashboard");
  appendFileSync(join(clone, "dashboard", "main.tsx"), '\nconsole.info("the next version");\n');
  const next = install();
  if (next.page === first.page) throw new Error("the dashboard is still that of the version before");
  const lost = first.assets.filter((name) => !next.assets.includes(name));
  if (lost.length > 0) throw new Error(`files of the dashboard before are gone: ${lost.slice(0, 9).join(", ")}`);
  if (next.builds.length !== 2) throw new Error(`expected two builds of the service: ${next.builds.join(", ")}`);
  const settings = { PORT: String(await freePort()), POINTKEEPER_DATA_DIR: join(folder, "store-data") };
  const command = [join(clone, "bin", "pointkeeper"), "start"];
  await tryService({ cwd: folder, command, env: { ...cleanEnv(), ...settings } }, async () => {});
}

/** Returns the instructions of a stage of the Dockerfile, with continued lines joined. */
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
  run(folder, "git", "clone", "--quiet", ROOT, context); // a clone has none of the files that .dockerignore excludes, except .git
  mkdirSync(app);
  for (const line of instructionsOf(/AS build/)) {
    const [instruction, rest = ""] = line.split(/ (.*)/s);
    if (instruction === "RUN") run(app, "sh", "-c", rest);
    if (instruction === "COPY") copy(context, app, rest.split(" "));
  }
  const find = ["src", "package-lock.json", "-newer", "lib/cli.js"];
  const newer = execFileSync("find", find, { cwd: app, encoding: "utf8" });
  if (newer !== "") throw new Error(`the image would run its sources, since these are newer than its build: ${newer}`);
  const last = instructionsOf(/FROM debian/).join("\n");
  const health: string[] = JSON.parse(/HEALTHCHECK.*CMD (\[.*\])/.exec(last)?.[1] ?? "[]");
  const [first = "", ...rest] = health;
  if (first !== "node") throw new Error("expected a health check by node");
  const settings = { PORT: String(await freePort()), POINTKEEPER_DATA_DIR: join(folder, "store-data") };
  const env = { ...cleanEnv(), ...settings };
  await tryService({ cwd: folder, command: [join(app, "bin", "pointkeeper"), "start"], env }, async () => {
    execFileSync(join(app, "node_modules", ".bin", "node"), rest, { env, stdio: "inherit" });
  });
}

function copy(context: string, app: string, names: string[]): void {
  for (const name of names.slice(0, -1)) {
    const filter = (path: string) => path !== join(context, ".git");
    cpSync(join(context, name), name === "." ? app : join(app, name), { recursive: true, filter });
  }
}

const PARTS = { package: tryPackage, upgrade: tryUpgrade, image: tryImage };
const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) throw new Error(`expected some of ${Object.keys(PARTS).join(", ")}, not ${unknown.join(", ")}`);

const folder = mkdtempSync(join(tmpdir(), "pointkeeper-install-"));
chmodSync(folder, 0o755); // the ordinary user's folder is inside it
try {
  for (const [name, attempt] of Object.entries(PARTS)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    console.log(`==> ${name}`);
    const own = join(folder, name);
    mkdirSync(own);
    await attempt(own);
    console.log(`ok  ${name}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
