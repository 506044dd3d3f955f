import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { backUp } from "../backup/back-up.ts";
import { listScheduled } from "../backup/choose-backup.ts";
import { BackupError, bytesOf, type Manifest, rowsOf } from "../backup/manifest.ts";
import { writeNewIdentity } from "../backup/part-coder.ts";
import { restoreStore } from "../backup/restore-store.ts";
import { type Config, readConfig } from "../config.ts";
import { openPool } from "../db/pool.ts";
import type { Log } from "../deps.ts";
import type { VerifyResult } from "../ledger/check-ledger.ts";
import { verifyLedger } from "../ledger/verify-ledger.ts";
import { createLog } from "../log.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { openDatabase } from "../start/open-database.ts";
import type { Given } from "./command-line.ts";
import { print } from "./output.ts";
import { backupJson, timeOption } from "./restore.ts";
import { raceInterrupts } from "./until-interrupted.ts";
import { withDeps } from "./with-deps.ts";

/** `pointkeeper backup <folder|file.tar> [--physical] | verify | list | new-key`: makes and checks backups. */
export async function backup(given: Given): Promise<number> {
  const [operand = ""] = given.operands;
  if (given.action === "verify") return verifyBackup(operand, given);
  if (given.action === "list") return listBackups(given);
  if (given.action === "new-key") return makeKey(operand, given);
  const startedMs = performance.now();
  const kind = given.options.has("physical") ? "physical" : "logical";
  const manifest = await withDeps((deps) => backUp(deps, { path: operand, kind, cause: "command" }));
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  const text = [
    `${sizeText(manifest)} in ${seconds} s${manifest.isEncrypted ? ", encrypted" : ""}: ${operand}`,
    "The secret key is not in it: keep secret.key, or POINTKEEPER_SECRET_KEY, elsewhere.",
  ];
  print(given, { json: { path: operand, ...backupJson(manifest) }, text });
  return 0;
}

function sizeText(manifest: Manifest): string {
  const size = `${(bytesOf(manifest) / 1_000_000).toFixed(1)} MB`;
  if (manifest.kind === "physical") return `The files of PostgreSQL ${manifest.postgres}, ${size}`;
  return `${rowsOf(manifest).toLocaleString("en")} rows of ${manifest.tables.length} tables, ${size}`;
}

/** Restores without the secret key: the ledger needs none. */
async function verifyBackup(path: string, given: Given): Promise<number> {
  const { options } = given;
  const to = timeOption(options.get("to"));
  const config = readConfig();
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  return raceInterrupts(async (interrupted) => {
    const dir = await mkdtemp(join(options.get("in") ?? tmpdir(), "pointkeeper-verify-"));
    try {
      const temporary = { ...config, databaseUrl: undefined, dataDir: join(dir, "data") };
      const order = { path, to, identityPath: options.get("identity"), isKeyOptional: true };
      const manifest = await Promise.race([interrupted, restoreStore({ config: temporary, log }, order)]);
      const text = [`restored: ${sizeText(manifest)}, begun at ${manifest.startedAt}`];
      const { ok, faults } = await Promise.race([interrupted, verifyStore(temporary, log, text)]);
      print(given, { json: { path, ...backupJson(manifest), ok, faults }, text });
      return ok ? 0 : 1;
    } finally {
      await rm(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    }
  });
}

async function verifyStore(config: Config, log: Log, text: string[]): Promise<VerifyResult> {
  const database = await openDatabase(config, log, "command");
  const db = openPool({ connection: database.connection, connectionsMax: 2 });
  try {
    return await verifyLedger(db, (line) => void text.push(line), ORDER_CHECKS);
  } finally {
    await db.close();
    await database.close();
  }
}

async function listBackups(given: Given): Promise<number> {
  const {
    backup: { dir },
    objectStore,
  } = readConfig();
  if (dir === undefined) throw new BackupError("POINTKEEPER_BACKUP_DIR is not set: no backups are scheduled.");
  const found = await listScheduled(dir, objectStore);
  const text = found.map(
    ({ path, manifest }) =>
      `${manifest.endedAt}  ${manifest.kind}  ${sizeText(manifest)}${manifest.isEncrypted ? ", encrypted" : ""}  ${path}`,
  );
  if (found.length === 0) text.push(`${dir} holds no complete backup.`);
  print(given, { json: found.map(({ path, manifest }) => ({ path, ...backupJson(manifest) })), text });
  return 0;
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
