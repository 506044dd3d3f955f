import { createHash, randomUUID } from "node:crypto";
import { chmod, chown, cp, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { userInfo } from "node:os";
import { dirname, join } from "node:path";
import type { Log } from "../../deps.ts";
import { type Binaries, binariesAt } from "./binaries.ts";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { homeOf, type Launcher, launcherOf } from "./launcher.ts";
import { runProgram } from "./run-program.ts";

const SHARED_ROOT = "/var/lib/pointkeeper";
/** The user must have an entry in /etc/passwd, because `initdb` looks its own up. 65534 is `nobody`. */
const UNSHARE = ["--user", "--map-user=65534", "--map-group=65534", "--"];

interface Options {
  dataDir: string;
  binaries: Binaries;
  log: Log;
  /** The server ends when this process ends, however that happens. */
  endsWithParent: boolean;
}

/**
 * Decides how PostgreSQL, which refuses to run as root, is started: directly by an ordinary user; by root through a user namespace in which the files stay
 * root's; if that is impossible, as an unprivileged user (docs/operations.md, "The data folder").
 * @throws EmbeddedServerError if no way works here
 */
export async function chooseLauncher(options: Options): Promise<Launcher> {
  const { dataDir, binaries } = options;
  const isRoot = process.getuid?.() === 0;
  const prefix = options.endsWithParent ? await deathSignalPrefix() : [];
  if (!isRoot && hasPasswdEntry()) return launcherOf(dataDir, binaries, prefix);
  const home = await homeOf(dataDir);
  const pg = await stat(join(home, "pg")).catch(() => undefined);
  const isForeign = isRoot && pg !== undefined && pg.uid !== 0;
  if (!isForeign && (await canUnshare(dataDir, binaries))) {
    return launcherOf(home, binaries, ["unshare", ...UNSHARE, ...prefix]);
  }
  if (!isRoot) {
    throw new EmbeddedServerError(
      `PostgreSQL cannot run as user ${process.getuid?.()}, which has no entry in /etc/passwd, and user namespaces are not allowed here. Start Pointkeeper as a user with an entry.`,
    );
  }
  if (process.platform !== "linux") {
    throw new EmbeddedServerError("PostgreSQL refuses to run as root. Start Pointkeeper as an ordinary user.");
  }
  return unprivilegedLauncher(options, home, pg, prefix);
}

async function deathSignalPrefix(): Promise<string[]> {
  const prefix = ["--pdeathsig", "INT", "--"];
  const tried = await runProgram({ file: "setpriv", args: [...prefix, "true"] });
  return tried.ok ? ["setpriv", ...prefix] : [];
}

function hasPasswdEntry(): boolean {
  try {
    userInfo();
    return true;
  } catch {
    return false;
  }
}

/** Tests it with a real start: a user namespace also removes root's right to enter other users' folders. */
async function canUnshare(dataDir: string, binaries: Binaries): Promise<boolean> {
  const probe = join(dataDir, `.probe-${randomUUID()}`);
  await mkdir(probe, { mode: 0o700 });
  const script = 'test -w "$1" && "$2" --version';
  const tried = await runProgram({
    file: "unshare",
    args: [...UNSHARE, "sh", "-c", script, "sh", probe, binaries.postgres],
  });
  await rm(probe, { recursive: true });
  return tried.ok;
}

async function unprivilegedLauncher(
  options: Options,
  knownHome: string,
  pg: { uid: number; gid: number } | undefined,
  prefix: readonly string[],
): Promise<Launcher> {
  const owner = pg !== undefined && pg.uid !== 0 ? { uid: pg.uid, gid: pg.gid } : await nobody();
  const home =
    knownHome !== options.dataDir ? knownHome : await enterableHome(options.dataDir, owner, pg !== undefined);
  if (pg?.uid === 0) await runProgram({ file: "chown", args: ["-R", `${owner.uid}:${owner.gid}`, join(home, "pg")] });
  const binaries = await enterableBinaries(options.binaries, owner);
  options.log.warn(
    { uid: owner.uid, folder: home, binaries: binaries.root },
    `user namespaces cannot be used here: the embedded PostgreSQL runs as user ${owner.uid}, its data is in ${join(home, "pg")}`,
  );
  return launcherOf(home, binaries, prefix, owner);
}

async function nobody(): Promise<{ uid: number; gid: number }> {
  const passwd = await readFile("/etc/passwd", "utf8").catch(() => "");
  const entry = /^nobody:[^:]*:(\d+):(\d+):/m.exec(passwd);
  if (entry === null) {
    throw new EmbeddedServerError(
      'PostgreSQL refuses to run as root, user namespaces are not allowed here, and there is no user "nobody". Start Pointkeeper as an ordinary user.',
    );
  }
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

/** Returns the data folder itself, with permission to pass through, or a folder under /var/lib if the user cannot enter its parents. */
async function enterableHome(dataDir: string, owner: { uid: number; gid: number }, hasData: boolean): Promise<string> {
  const canEnter = async (dir: string) =>
    (await runProgram({ file: "sh", args: ["-c", 'cd -- "$1"', "sh", dir], owner })).ok;
  if (await canEnter(dataDir)) return dataDir;
  if (await canEnter(dirname(dataDir))) {
    await chmod(dataDir, (await stat(dataDir)).mode | 0o011);
    return dataDir;
  }
  if (hasData) {
    throw new EmbeddedServerError(
      `The database in ${dataDir} was created where user namespaces are allowed; here they are not, and no unprivileged user can enter that folder. Allow user namespaces, or move it where every user may enter its parent folders.`,
    );
  }
  const home = join(SHARED_ROOT, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
  await mkdir(home, { recursive: true, mode: 0o711 });
  await chmod(SHARED_ROOT, 0o711);
  await chown(home, owner.uid, owner.gid);
  return home;
}

async function enterableBinaries(binaries: Binaries, owner: { uid: number; gid: number }): Promise<Binaries> {
  if ((await runProgram({ file: binaries.postgres, args: ["--version"], owner })).ok) return binaries;
  const root = join(SHARED_ROOT, `postgres-${binaries.version}`);
  const copied = binariesAt(root, binaries.version);
  if ((await runProgram({ file: copied.postgres, args: ["--version"], owner })).ok) return copied;
  const fresh = `${root}.new-${randomUUID()}`;
  await mkdir(SHARED_ROOT, { recursive: true });
  await chmod(SHARED_ROOT, 0o711);
  await cp(binaries.root, fresh, { recursive: true, verbatimSymlinks: true });
  await runProgram({ file: "chmod", args: ["-R", "a+rX", fresh] });
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  await rename(fresh, root);
  return copied;
}
