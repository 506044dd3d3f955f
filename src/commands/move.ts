import { resolve } from "node:path";
import type pg from "pg";
import { BackupError } from "../backup/manifest.ts";
import { moveStore } from "../backup/move-store.ts";
import { type Config, readConfig, UsageError } from "../config.ts";
import { createSecretBox, type SecretBox } from "../credentials/secret-box.ts";
import { readSecretKeys, secretKeyPath } from "../credentials/secret-key-file.ts";
import { openPool } from "../db/pool.ts";
import { createLog } from "../log.ts";
import type { Given } from "./command-line.ts";
import { print, printNote } from "./output.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { verifyStore } from "./verify-store.ts";

/** `pointkeeper move --to <database url or data folder>`: copies the stopped store of the settings to another database. */
export async function move(given: Given): Promise<number> {
  const config = readConfig();
  const to = targetOf(given.options.get("to") ?? "");
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  return untilInterrupted({ config, log, as: "command" }, async (database) => {
    if (!(await database.claim()))
      throw new BackupError(`A service is running on ${config.dataDir}: stop it first. Nothing was moved.`);
    const lines: string[] = [];
    const keys = await readSecretKeys(config);
    const store = { config, secretBox: keys === null ? null : createSecretBox(keys) };
    const verify = (connection: pg.ClientConfig, side: string) => verifySide({ ...store, connection }, side, lines);
    const { tables, rows } = await moveStore(
      { config, log },
      { source: database.migrationConnection ?? database.connection, to, verify },
    );
    const text = [
      ...lines,
      `${rows.toLocaleString("en")} rows of ${tables} tables were moved; the digests of all tables are equal.`,
      nextStep(to, config),
      "The source is unchanged: keep it until the new place has been backed up, and do not start it again.",
    ];
    print(given, { json: { to, tables, rows, verified: lines }, text });
    return 0;
  });
}

interface Side {
  readonly connection: pg.ClientConfig;
  readonly config: Config;
  readonly secretBox: SecretBox | null;
}

async function verifySide({ connection, ...store }: Side, side: string, said: string[]): Promise<boolean> {
  const db = openPool({ connection, connectionsMax: 2 });
  const lines: string[] = [];
  try {
    const { ledger, faults, notes } = await verifyStore({ ...store, db }, { say: (line) => void lines.push(line) });
    if (faults > 0) printNote(lines.join("\n"));
    const result = faults === 0 ? "everything holds" : "faults";
    said.push(
      `${side}: ${ledger.customers} customers, ${ledger.allotments} allotments verified: ${result}`,
      ...notes.map((note) => `  ${note}`),
    );
    return faults === 0;
  } finally {
    await db.close();
  }
}

/** Returns the URL, or the folder's absolute path. A URL with a mistake in it must not become a folder. */
function targetOf(text: string): string {
  if (isUrl(text)) return text;
  if (LIKE_URL.test(text))
    throw new UsageError("--to must be a URL like postgresql://user:password@host:5432/database, or a folder.");
  return resolve(text);
}

const LIKE_URL = /:\/\/|:\d|^postgres(?:ql)?:/i;

function isUrl(to: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(to);
}

/** Returns what to set for starting the moved store. */
function nextStep(to: string, { dataDir, secretKey }: Config): string {
  const path = secretKeyPath(dataDir);
  if (isUrl(to)) {
    const key = secretKey === undefined ? `POINTKEEPER_SECRET_KEY set to the key in ${path}` : "the same secret key";
    return `Start the service with DATABASE_URL set to the new database, and ${key}.`;
  }
  const key = secretKey === undefined ? `put ${path} there first` : "keep POINTKEEPER_SECRET_KEY set";
  return `Start the service with POINTKEEPER_DATA_DIR=${to} and without DATABASE_URL; ${key}.`;
}
