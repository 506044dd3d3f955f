import { stat } from "node:fs/promises";
import { createInterface } from "node:readline/promises";
import type pg from "pg";
import { assertNoOtherSessions } from "../backup/assert-no-other-sessions.ts";
import { assertUnused, type LoadedStore, loadStoreLines, readStoreShape } from "../backup/load-store-lines.ts";
import { BackupError } from "../backup/manifest.ts";
import { type ReadStoreFile, readStoreLines, type StoreFileOrder } from "../backup/read-store-lines.ts";
import { systemClock } from "../clock.ts";
import { type Config, readConfig, UsageError } from "../config.ts";
import { createSecretBox } from "../credentials/secret-box.ts";
import { missingKeyText, readSecretKeys } from "../credentials/secret-key-file.ts";
import { type Db, openPool } from "../db/pool.ts";
import { withClient } from "../db/with-client.ts";
import { ConfigError } from "../environment.ts";
import { createLog } from "../log.ts";
import { createRandom } from "../random.ts";
import type { OpenDatabase } from "../start/open-database.ts";
import type { Given } from "./command-line.ts";
import { nameUnreadable } from "./name-unreadable.ts";
import { createProgress, print, type Shown } from "./output.ts";
import { untilInterrupted } from "./until-interrupted.ts";
import { asCommand } from "./with-deps.ts";

/** The file is checked and loaded on one connection; other connections are refused. */
const CONNECTIONS = 1;

/**
 * `pointkeeper import <file.jsonl> --from pointkeeper [--dry-run] [--yes]`: loads a complete store, as `export all` wrote it, into the new store of
 * the settings. The file is read twice: nothing is changed before all of it was checked. Returns 2 if nobody confirms.
 */
export async function importStore(given: Given): Promise<number> {
  const [path = ""] = given.operands;
  await assertFile(path);
  const config = readConfig();
  const log = createLog({ level: "warn", pretty: true, write: (line) => void process.stderr.write(line) });
  return untilInterrupted({ config, log, as: "command" }, async (database) => {
    if (!(await database.claim()))
      throw new BackupError(`A service is running on ${config.dataDir}: stop it first. Nothing was imported.`);
    const connection = await ownConnection(database);
    const db = openPool({ connection, connectionsMax: CONNECTIONS });
    try {
      await assertUnused(db);
      const checked = await checkFile(db, path);
      if (given.options.has("dry-run")) {
        print(given, dryRunShown(path, checked));
        return 0;
      }
      await confirm(given, checked, database.place);
      const loaded = await load(db, config, { path, checked });
      print(given, loadedShown(path, checked, loaded));
      return 0;
    } finally {
      await db.close();
    }
  });
}

async function assertFile(path: string): Promise<void> {
  const found = await stat(path).catch(nameUnreadable(path));
  if (!found.isFile()) throw new UsageError(`${path} is not a file: it is read twice, so a pipe does not do.`);
}

/** Connects as the owner of the tables, with no other connections: a running service would continue with cached data of the earlier store. */
async function ownConnection({ migrationConnection, place }: OpenDatabase): Promise<pg.ClientConfig> {
  if (migrationConnection === undefined)
    throw new ConfigError(
      `${place} is reached through a pooler: set DATABASE_MIGRATION_URL, which reaches it directly as the owner of the tables.`,
    );
  await withClient(migrationConnection, (client) => assertNoOtherSessions(client, "Nothing was imported."));
  return migrationConnection;
}

async function checkFile(db: Db, path: string): Promise<ReadStoreFile> {
  const { columns, schema } = await readStoreShape(db);
  const progress = createProgress("checking", "lines");
  const order: StoreFileOrder = { path, columns, schema, onProgress: progress.update };
  try {
    const lines = readStoreLines(order);
    for (;;) {
      const { done, value } = await lines.next();
      if (done === true) return value;
    }
  } finally {
    progress.end();
  }
}

const totalOf = ({ lines }: ReadStoreFile) => Object.values(lines).reduce((sum, count) => sum + count, 0);

function countsText(checked: ReadStoreFile): string {
  const { lines, header } = checked;
  const count = (type: string) => (lines[type] ?? 0).toLocaleString("en");
  return `${count("customer")} customers, ${count("point_allotment")} allotments, ${count("order")} orders and ${count("coupon")} coupons, as of ${header.taken_at}, by Pointkeeper ${header.release}`;
}

async function confirm(given: Given, checked: ReadStoreFile, place: string): Promise<void> {
  if (given.options.has("yes")) return;
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw new UsageError("Nothing was imported: confirm with --yes, or look first with --dry-run.");
  const ask = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await ask.question(`${countsText(checked)}.\nImport them into ${place}? [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new UsageError("Nothing was imported.");
  } finally {
    ask.close();
  }
}

async function load(
  db: Db,
  config: Config,
  { path, checked }: { readonly path: string; readonly checked: ReadStoreFile },
): Promise<LoadedStore> {
  const keys = await readSecretKeys(config);
  if (keys === null) throw new ConfigError(missingKeyText(config.dataDir));
  const progress = createProgress("importing", "lines");
  const deps = { db, clock: systemClock, random: createRandom(), secretBox: createSecretBox(keys) };
  const total = totalOf(checked);
  try {
    return await asCommand(
      () => loadStoreLines(deps, { path, checked, onProgress: (lines) => progress.update(lines, total) }),
      deps.clock.now(),
    );
  } finally {
    progress.end();
  }
}

function fileJson(path: string, { header, lines, sha256 }: ReadStoreFile) {
  return { file: path, release: header.release, taken_at: header.taken_at, lines, sha256 };
}

function dryRunShown(path: string, checked: ReadStoreFile): Shown {
  return {
    json: { ...fileJson(path, checked), imported: false },
    text: [
      `${path} is whole: ${countsText(checked)}.`,
      "Nothing was imported: this was a dry run. With --yes it is imported, and verified before it counts.",
    ],
  };
}

function loadedShown(path: string, checked: ReadStoreFile, { customers, allotments, newSecrets }: LoadedStore): Shown {
  const withSecrets = checked.header.with_secrets;
  const text = [
    `${totalOf(checked).toLocaleString("en")} lines were imported: ${countsText(checked)}.`,
    `${customers.toLocaleString("en")} balances and ${allotments.toLocaleString("en")} allotments verified: everything holds.`,
    ...newSecrets.map(({ topic, secret }) => `subscription ${topic}  secret  ${secret}`),
    ...(newSecrets.length > 0 ? ["Secrets are shown only once: give each receiver its new one."] : []),
    ...(withSecrets
      ? []
      : ["Nobody has a password yet: pointkeeper users reset-password <e-mail>. Credentials are those of this store."]),
    "Do not start the other store again: both would send the same deliveries.",
  ];
  return {
    json: { ...fileJson(path, checked), imported: true, customers, allotments, subscriptions: newSecrets },
    text,
  };
}
