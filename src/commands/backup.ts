import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readArchivedMark } from "../backup/archived-mark.ts";
import { type BackupOrder, backUp } from "../backup/back-up.ts";
import { readScheduled } from "../backup/choose-backup.ts";
import { BackupError, bytesOf, type Manifest, rowsOf } from "../backup/manifest.ts";
import { writeNewIdentity } from "../backup/part-coder.ts";
import { restoreStore } from "../backup/restore-store.ts";
import { type Config, readConfig } from "../config.ts";
import { createSecretBox, type SecretBox } from "../credentials/secret-box.ts";
import { readSecretKeys } from "../credentials/secret-key-file.ts";
import { homeOf } from "../db/embedded/launcher.ts";
import { openPool } from "../db/pool.ts";
import type { Log } from "../deps.ts";
import { createLog } from "../log.ts";
import { openDatabase } from "../start/open-database.ts";
import type { Given } from "./command-line.ts";
import { print, printNote } from "./output.ts";
import { backupJson, timeOption } from "./restore.ts";
import { raceInterrupts } from "./until-interrupted.ts";
import { type StoreReport, verifyStore } from "./verify-store.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper backup <folder|file.tar> [--physical] | verify | list | new-key`: makes and checks backups. */
export async function backup(given: Given): Promise<number> {
  const [operand = ""] = given.operands;
  if (given.action === "verify") return verifyBackup(operand, given);
  if (given.action === "list") return listBackups(given);
  if (given.action === "new-key") return makeKey(operand, given);
  const startedMs = performance.now();
  const kind = given.options.has("physical") ? "physical" : "logical";
  const manifest = await makeBackup({ path: operand, kind });
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  const text = [
    `${sizeText(manifest)} in ${seconds} s${manifest.isEncrypted ? ", encrypted" : ""}: ${operand}`,
    "The secret key is not in it: keep secret.key, or POINTKEEPER_SECRET_KEY, elsewhere.",
  ];
  print(given, { json: { path: operand, ...backupJson(manifest) }, text });
  return 0;
}

/** If it is interrupted, it stops early and removes what it wrote before the command ends, unless the folder does not answer for a minute. */
async function makeBackup(order: Pick<BackupOrder, "path" | "kind">): Promise<Manifest> {
  const ending = new AbortController();
  let making: Promise<unknown> | undefined;
  try {
    return await withDeps((deps) => {
      const made = backUp(deps, { ...order, cause: "command", signal: ending.signal });
      making = made;
      return made;
    });
  } catch (error) {
    ending.abort();
    await making?.catch(() => {}); // it was interrupted, or failed with the thrown error
    throw error;
  }
}

function sizeText(manifest: Manifest): string {
  const size = `${(bytesOf(manifest) / 1_000_000).toFixed(1)} MB`;
  if (manifest.kind === "physical") return `The files of PostgreSQL ${manifest.postgres}, ${size}`;
  return `${rowsOf(manifest).toLocaleString("en")} rows of ${manifest.tables.length} tables, ${size}`;
}

/** Restores without the secret key; also checks chains and checkpoints if the configured key decrypts the backup's. */
async function verifyBackup(path: string, given: Given): Promise<number> {
  const { options } = given;
  const to = timeOption(options.get("to"));
  const config = readConfig();
  const keys = await readSecretKeys(config);
  const secretBox = keys === null ? null : createSecretBox(keys);
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  return raceInterrupts(async (interrupted) => {
    const parent = options.get("in") ?? tmpdir();
    const dir = await mkdtemp(join(parent, "pointkeeper-verify-")).catch((error: Error) => {
      throw new BackupError(
        `No temporary folder can be created in ${parent}: ${error.message}. Name another one with --in.`,
      );
    });
    try {
      const temporary = { ...config, databaseUrl: undefined, dataDir: join(dir, "data"), checkpointDir: undefined };
      const order = { path, to, identityPath: options.get("identity"), isKeyOptional: true };
      const manifest = await Promise.race([interrupted, restoreStore({ config: temporary, log }, order)]);
      const text = [`restored: ${sizeText(manifest)}, begun at ${manifest.startedAt}`];
      const say = (line: string) => void text.push(line);
      const { faults, notes } = await Promise.race([
        interrupted,
        verifyRestored({ config: temporary, log, secretBox }, say),
      ]);
      print(given, { json: { path, ...backupJson(manifest), ok: faults === 0, faults, notes }, text });
      return faults === 0 ? 0 : 1;
    } finally {
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });
}

interface Restored {
  readonly config: Config;
  readonly log: Log;
  readonly secretBox: SecretBox | null;
}

/** Not compared with checkpoints stored elsewhere: newer ones cover what was written after the backup. */
async function verifyRestored({ config, log, secretBox }: Restored, say: (line: string) => void): Promise<StoreReport> {
  const database = await openDatabase(config, log, "command");
  const db = openPool({ connection: database.connection, connectionsMax: 2 });
  try {
    return await verifyStore({ db, config, secretBox }, { say, isKeyOptional: true });
  } finally {
    await db.close();
    await database.close();
  }
}

async function listBackups(given: Given): Promise<number> {
  const {
    backup: { dir, isLogArchived },
    objectStore,
    dataDir,
  } = readConfig();
  if (dir === undefined) throw new BackupError("POINTKEEPER_BACKUP_DIR is not set: no backups are scheduled.");
  const { complete, damaged } = await readScheduled(dir, objectStore);
  const text = complete.map(
    ({ path, manifest }) =>
      `${manifest.endedAt}  ${manifest.kind}  ${sizeText(manifest)}${manifest.isEncrypted ? ", encrypted" : ""}  ${path}`,
  );
  if (complete.length === 0) text.push(`${dir} holds no complete backup.`);
  const mark = isLogArchived ? await readArchivedMark(await homeOf(dataDir)) : null;
  if (mark !== null)
    text.push(`${mark.closedAt}  log       archived up to this time; pointkeeper doctor says how much is not`);
  print(given, { json: complete.map(({ path, manifest }) => ({ path, ...backupJson(manifest) })), text });
  for (const { says } of damaged) printNote(says);
  return damaged.length === 0 ? 0 : 1;
}

async function makeKey(path: string, given: Given): Promise<number> {
  const recipient = await writeNewIdentity(path);
  const text = [
    `POINTKEEPER_BACKUP_RECIPIENTS=${recipient}`,
    `${path} holds the private key, without which no backup can be restored: keep it away from this machine and from the backups.`,
  ];
  print(given, { json: { path, recipient }, text });
  return 0;
}
