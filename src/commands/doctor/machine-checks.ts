import type { StatsFs } from "node:fs";
import { access, constants, stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import project from "../../../package.json" with { type: "json" };
import { diskNotice, fullLimit } from "../../alerts/disk-room.ts";
import { readDiskRoom } from "../../alerts/read-disk-room.ts";
import { type DamagedBackup, readScheduled } from "../../backup/choose-backup.ts";
import { bytesOf } from "../../backup/manifest.ts";
import { readLogGap } from "../../backup/read-log-gap.ts";
import { readMissingArchive } from "../../backup/read-missing-archive.ts";
import { readSilentPlace } from "../../backup/read-silent-place.ts";
import { readWaitingLog } from "../../backup/read-waiting-log.ts";
import { readNewestFile } from "../../checkpoints/checkpoint-files.ts";
import type { Config, SettingsReport } from "../../config.ts";
import { SecretBoxError } from "../../credentials/secret-box.ts";
import { readSecretKeys, secretKeyPath } from "../../credentials/secret-key-file.ts";
import { homeOf } from "../../db/embedded/launcher.ts";
import { SilentPlaceError, whileAnswering } from "../../file-calls.ts";
import { isObjectPlace } from "../../object-store/object-place.ts";
import type { Check, Finding } from "./check.ts";

/** The version of Node that the project installs. */
const NODE_MAJOR = 26;
const GROUP_AND_OTHERS = 0o077;
const GIBIBYTE = 2 ** 30;
/** A look at a folder takes no longer, unless it is on a share that is away. */
const LOOK_MS = 30_000;
/** Eight segments of the log. */
const WAITING_BYTES = 8 * 2 ** 24;

/** Checks that work without a database. */
export const MACHINE_CHECKS: readonly Check<SettingsReport>[] = [
  { name: "version", run: checkVersion },
  { name: "settings", run: checkSettings },
  { name: "sandbox", run: ({ config }) => checkSandbox(config) },
  { name: "public URL", run: ({ config }) => checkPublicUrl(config) },
  { name: "data folder", run: ({ config }) => checkFolder(config) },
  { name: "disk", run: ({ config }) => checkDisk(config) },
  { name: "secret key", run: ({ config }) => checkKey(config) },
  { name: "backup place", run: ({ config }) => checkBackupPlace(config) },
  { name: "checkpoint place", run: ({ config }) => checkCheckpointPlace(config) },
  { name: "reports folder", run: ({ config }) => checkReportsFolder(config) },
];

function checkVersion(): Finding {
  const says = `Pointkeeper ${project.version} on Node ${process.versions.node}`;
  if (Number(process.versions.node.split(".")[0]) >= NODE_MAJOR) return { state: "ok", says };
  const todo = `Run it with Node ${NODE_MAJOR} or later: npm ci brings it, and npx pointkeeper uses it.`;
  return { state: "fail", says, todo };
}

function checkSettings({ config, fault }: SettingsReport): Finding {
  if (config === null)
    return { state: "fail", says: fault?.message ?? "the settings cannot be used", todo: "See pointkeeper config." };
  const { unknownSettings: unknown } = config;
  if (unknown.length === 0) return { state: "ok", says: "every setting can be used" };
  return {
    state: "warn",
    says: `nothing reads ${unknown.map(({ name }) => name).join(", ")}`,
    todo: "Correct the name, or unset it.",
  };
}

function checkSandbox(config: Config | null): Finding | null {
  if (config?.sandbox !== true) return null;
  const says = "POINTKEEPER_SANDBOX is on: anybody with an admin credential sets the clock, and points expire by it";
  return { state: "warn", says, todo: "Unset it for a real store." };
}

function checkPublicUrl(config: Config | null): Finding | null {
  if (config === null) return null;
  const { publicUrl, proxies } = config;
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
  if (protocol === "http:" && !isLocal)
    return {
      state: "warn",
      says: `${publicUrl} is not encrypted: passwords and credentials can be read on the way`,
      todo: "Put a TLS proxy in front and set PUBLIC_URL to its https address.",
    };
  if (protocol === "https:" && proxies === 0)
    return {
      state: "warn",
      says: `${publicUrl} is served by a proxy, but POINTKEEPER_PROXIES is 0: every client has the proxy's address`,
      todo: "Set POINTKEEPER_PROXIES to how many proxies stand in front, usually 1.",
    };
  return { state: "ok", says: publicUrl };
}

async function checkFolder(config: Config | null): Promise<Finding | null> {
  if (config === null) return null;
  const { dataDir, databaseUrl, secretKey } = config;
  const found = await stat(dataDir).catch(() => null);
  if (found === null) {
    const isNeeded = databaseUrl === undefined || secretKey === undefined;
    if (!isNeeded) return null;
    const todo = "Name the store's folder with POINTKEEPER_DATA_DIR, or create a store with pointkeeper start.";
    return { state: "fail", says: `${dataDir} is not there`, todo };
  }
  const mode = found.mode & GROUP_AND_OTHERS;
  if (mode === 0) return { state: "ok", says: `${dataDir}, for its owner alone` };
  const says = `${dataDir} is open to other users of this machine (mode ${(found.mode & 0o777).toString(8)})`;
  return { state: "warn", says, todo: `chmod 700 ${dataDir}` };
}

async function checkDisk(config: Config | null): Promise<Finding | null> {
  const room = config === null ? null : await readDiskRoom({ config }, statfsAbove);
  if (config === null || room === null) return null; // the database's disk is elsewhere
  const { freeBytes, sizeBytes, freeFiles } = room;
  const says = `${sizeText(freeBytes)} of ${sizeText(sizeBytes)} are free`;
  const notice = diskNotice(room);
  if (notice === null) return { state: "ok", says };
  const todo = `${await waitingText(config)}Make room or move the data folder: on a full disk the service refuses every change.`;
  if (notice.state === "few_files") return { state: "fail", says: `${says}, and only ${freeFiles} new files`, todo };
  return { state: notice.state === "low" ? "warn" : "fail", says, todo };
}

/** What to do first where log that could not be archived takes much of the disk. */
async function waitingText({ backup, dataDir }: Config): Promise<string> {
  if (!backup.isLogArchived) return "";
  const { bytes } = await readWaitingLog(await homeOf(dataDir));
  if (bytes < WAITING_BYTES) return "";
  return `${sizeText(bytes)} of the disk are log that waits for ${backup.dir}: once that can be written, the worker, or the next start, moves it there. `;
}

/** Returns the file system of a folder, or of its nearest existing parent. */
async function statfsAbove(folder: string): Promise<StatsFs> {
  try {
    return await statfs(folder);
  } catch (error) {
    if (dirname(folder) === folder) throw error;
    return statfsAbove(dirname(folder));
  }
}

async function checkKey(config: Config | null): Promise<Finding | null> {
  if (config === null) return null;
  if (config.secretKey !== undefined) return { state: "ok", says: "from POINTKEEPER_SECRET_KEY" };
  const path = secretKeyPath(config.dataDir);
  const todo = 'Put its copy back: no backup holds it. Where it is lost, see "pointkeeper secrets reset".';
  try {
    if ((await readSecretKeys(config)) === null) return { state: "fail", says: `${path} is not there`, todo };
  } catch (error) {
    if (error instanceof SecretBoxError) return { state: "fail", says: `${path} is damaged: it holds no key`, todo };
    const says = `${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`;
    return { state: "fail", says, todo: "Make it readable for the service's user alone, and run this as that user." };
  }
  const { mode } = await stat(path);
  if ((mode & GROUP_AND_OTHERS) === 0) return { state: "ok", says: `from ${path}` };
  return { state: "fail", says: `${path} can be read by other users of this machine`, todo: `chmod 600 ${path}` };
}

/**
 * Checks that the place of the scheduled backups can be read, and that a folder is writable and not full; otherwise the worker would notice it only
 * at the next backup.
 */
async function checkBackupPlace(config: Config | null): Promise<Finding | null> {
  const dir = config?.backup.dir;
  if (config === null || dir === undefined) return null;
  const missing = await readMissingArchive(config).catch(() => null); // a store that is damaged, or not there yet, is found by other checks
  if (missing !== null) return { state: "fail", says: missing, todo: "Until then log waits on the disk of the store." };
  let damaged: readonly DamagedBackup[] = [];
  let gap: string | null = null;
  let newestBytes = 0;
  const finding = await checkWritten(dir, "docs/backup.md", async () => {
    const found = await readScheduled(dir, config.objectStore);
    damaged = found.damaged;
    const { length } = found.complete;
    const newest = found.complete.at(-1);
    if (newest !== undefined) newestBytes = bytesOf(newest.manifest);
    if (newest !== undefined) gap = await readLogGap(dir, newest, config.objectStore);
    return `${dir} holds ${length} complete scheduled ${length === 1 ? "backup" : "backups"}`;
  });
  if (finding.state !== "ok") return finding;
  if (gap !== null) return gapFinding(finding.says, gap);
  const [first] = damaged;
  if (first !== undefined) {
    const todo = `Look for a whole copy of ${first.path}, or move it away: pruning leaves it where it is.`;
    return { state: "warn", says: `${finding.says}, and ${damaged.length} that cannot be read: ${first.says}`, todo };
  }
  const freeBytes = isObjectPlace(dir) ? Number.POSITIVE_INFINITY : (await diskOf(dir)).free;
  if (freeBytes >= newestBytes) return (await isOnStoreDisk(config, dir)) ? sameDiskFinding(finding.says) : finding;
  return {
    state: "warn",
    says: `${finding.says}, and ${sizeText(freeBytes)} are free there, less than the newest one takes (${sizeText(newestBytes)})`,
    todo: "Make room before the next backup: older ones are removed only once it is complete.",
  };
}

/** Whether a folder is on the disk of the embedded database. */
async function isOnStoreDisk({ databaseUrl, dataDir }: Config, folder: string): Promise<boolean> {
  if (databaseUrl !== undefined || isObjectPlace(folder)) return false;
  const deviceOf = async (path: string) => (await stat(await nearestFolder(path))).dev;
  return (await deviceOf(folder)) === (await deviceOf(await homeOf(dataDir)));
}

function sameDiskFinding(says: string): Finding {
  const todo = "Use another disk, a network share or a bucket, or copy the backups elsewhere: docs/backup.md.";
  return { state: "warn", says: `${says}, on the disk of the store: what destroys it destroys both`, todo };
}

function gapFinding(says: string, gap: string): Finding {
  return {
    state: "warn",
    says: `${says}, but the log archived since the newest lacks the segment whose name ends with ${gap}`,
    todo: "Put that file back. Without it a restore reaches no later time until the next scheduled backup is complete.",
  };
}

async function checkCheckpointPlace(config: Config | null): Promise<Finding | null> {
  const folder = config?.checkpointDir;
  if (config === null || folder === undefined) return null;
  return checkWritten(folder, "docs/ledger-proofs.md", async () => {
    const newest = await readNewestFile({ folder, access: config.objectStore });
    return newest === null ? `${folder} has no checkpoint yet` : `${folder} holds the newest checkpoint`;
  });
}

async function checkReportsFolder(config: Config | null): Promise<Finding | null> {
  const folder = config?.reportsDir;
  return folder === undefined ? null : checkWritten(folder, "docs/reports.md", async () => folder);
}

function silentPlace(says: string): Finding {
  return { state: "fail", says, todo: "Mount it again, or name another place." };
}

/** Checks that a place can be reached, and that a folder is writable and not full. */
async function checkWritten(place: string, page: string, look: () => Promise<string>): Promise<Finding> {
  try {
    const silent = await readSilentPlace(place); // a look at it would wait for minutes, or for ever
    if (silent !== null) return silentPlace(silent);
    if (isObjectPlace(place)) return { state: "ok", says: await look() };
    const says = await whileAnswering(place, look, { waitMs: LOOK_MS });
    await access(await nearestFolder(place), constants.W_OK);
    const { free, size } = await diskOf(place);
    if (free >= fullLimit(size)) return { state: "ok", says };
    return { state: "fail", says: `${says}, and its disk is full`, todo: "Make room, or keep less there." };
  } catch (error) {
    if (error instanceof SilentPlaceError) return silentPlace(error.message);
    const todo = `Make it readable and writable for the service: ${page}.`;
    return { state: "fail", says: error instanceof Error ? error.message : String(error), todo };
  }
}

/** Returns the disk of a folder, or of its nearest existing parent, in bytes. */
async function diskOf(folder: string): Promise<{ readonly free: number; readonly size: number }> {
  const { bavail, blocks, bsize } = await statfsAbove(folder);
  return { free: bavail * bsize, size: blocks * bsize };
}

function sizeText(bytes: number): string {
  return `${(bytes / GIBIBYTE).toFixed(1)} GiB`;
}

/** Returns a folder, or its nearest existing parent: the first write creates the rest. */
async function nearestFolder(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : nearestFolder(dirname(folder));
}
