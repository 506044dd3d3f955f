import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { extract } from "tar";
import type { Config } from "../config.ts";
import { canOpen, createSecretBox } from "../credentials/secret-box.ts";
import { readSecretKeys, secretKeyPath } from "../credentials/secret-key-file.ts";
import { externalConnection } from "../db/connection.ts";
import { recoverFolder } from "../db/embedded/recover-folder.ts";
import { startEmbeddedServer } from "../db/embedded/start-embedded-server.ts";
import { migrate } from "../db/migrate.ts";
import { EMBEDDED_ROLE, type ServiceRole } from "../db/roles/grant-service-role.ts";
import { withClient } from "../db/with-client.ts";
import type { Log } from "../deps.ts";
import type { ObjectStoreAccess } from "../object-store/object-place.ts";
import { selectSealedSamples } from "./catalog-queries.ts";
import { chooseBackup } from "./choose-backup.ts";
import { fillDataFolder } from "./fill-data-folder.ts";
import { type LoadedTable, loadRows } from "./load-rows.ts";
import { listArchivedLog, logDirOf, logFrom, readArchivedFile, segmentSuffix } from "./log-archive.ts";
import { BackupError, type Manifest, type StoredPart } from "./manifest.ts";
import { type OpenBackup, openBackup } from "./open-backup.ts";
import { createDecoder, type PartDecoder } from "./part-coder.ts";
import type { RowSource } from "./row-source.ts";

export interface RestoreOrder {
  /** A backup, or the folder of the scheduled backups. */
  readonly path: string;
  /** The moment to restore to; absent: that of the backup, or for a folder of scheduled backups the newest. */
  readonly to?: Temporal.Instant | undefined;
  /** The file with the private key of an encrypted backup. */
  readonly identityPath?: string | undefined;
  /** Restores even where the secret key does not decrypt the secrets of the backup. */
  readonly isKeyOptional: boolean;
}

type Parts = { readonly config: Config; readonly log: Log };
type KeyCheck = (client: pg.Client) => Promise<void>;

/**
 * Restores a backup to the store of the settings, which must not exist: into the data folder, or into the empty database of DATABASE_URL. A
 * restore that fails leaves the place as it was.
 * @throws BackupError, SchemaError, EmbeddedServerError
 */
export async function restoreStore(parts: Parts, order: RestoreOrder): Promise<Manifest> {
  const { config, log: warnings } = parts;
  const chosen = await chooseBackup(order.path, order.to, config.objectStore);
  const decoder = await createDecoder(order.identityPath);
  const backup = await openBackup(chosen.path, decoder, config.objectStore);
  try {
    const checkKey = await keyCheck({ config, log: warnings }, order.isKeyOptional);
    if (backup.manifest.kind === "physical") {
      if (config.databaseUrl !== undefined)
        throw new BackupError(
          "A physical backup is restored into a data folder: unset DATABASE_URL, then use pointkeeper move.",
        );
      const log = chosen.logFrom === null ? undefined : { dir: chosen.logFrom, to: order.to };
      await fillDataFolder(config, (draft) => recoverBase(parts, { draft, backup, decoder, log, checkKey }));
    } else {
      if (order.to !== undefined)
        throw new BackupError(
          `${backup.path} is a logical backup of ${backup.manifest.startedAt}: it cannot be restored to another time. Leave --to out.`,
        );
      await restoreRows(parts, backup, checkKey);
    }
    return backup.manifest;
  } finally {
    await backup.close();
  }
}

async function restoreRows({ config, log }: Parts, backup: OpenBackup, checkKey: KeyCheck): Promise<void> {
  const { databaseUrl, migrationUrl, postgresBin, pageCacheMb } = config;
  const load = (connection: pg.ClientConfig, place: string, serviceRole?: ServiceRole) =>
    loadBackup({ connection, place, log, serviceRole }, backup, checkKey);
  if (databaseUrl !== undefined) {
    const own = externalConnection(databaseUrl, "DATABASE_URL", {});
    if (migrationUrl === undefined) return await load(own, EXTERNAL);
    const owner = externalConnection(migrationUrl, "DATABASE_MIGRATION_URL", {});
    return await load(owner, EXTERNAL, { name: await roleOf(own), isOurs: false });
  }
  await fillDataFolder(config, async (draft) => {
    const server = await startEmbeddedServer({ dataDir: draft, postgresBin, pageCacheMb, log });
    try {
      await load(server.connection, "The new database", EMBEDDED_ROLE);
    } finally {
      await server.stop();
    }
  });
}

const EXTERNAL = "The database of DATABASE_URL";

/** The role that nodes without DATABASE_MIGRATION_URL start with: it gets its privileges with the tables. */
async function roleOf(connection: pg.ClientConfig): Promise<string> {
  const select = "select current_user as role";
  const { rows } = await withClient(connection, (client) => client.query<{ role: string }>(select));
  return rows[0]?.role ?? "";
}

async function loadBackup(
  to: { connection: pg.ClientConfig; place: string; log: Log; serviceRole: ServiceRole | undefined },
  backup: OpenBackup,
  checkKey: KeyCheck,
): Promise<void> {
  const { manifest } = backup;
  const { connection, place, log, serviceRole } = to;
  await withClient(connection, async (client) => {
    await loadRows(client, rowsOfBackup(backup), {
      place,
      check: async (loaded) => {
        assertCounts(manifest, loaded);
        await checkKey(client);
      },
    });
    await client.query("analyze");
  });
  await migrate(connection, { log, serviceRole }); // of a backup of an earlier version
  await forgetPlans(connection);
}

/** Removes what the workers of then had planned: it would be taken for late. The first worker of the restored store plans anew. */
async function forgetPlans(connection: pg.ClientConfig): Promise<void> {
  await withClient(connection, (client) => client.query("delete from job_plan"));
}

function rowsOfBackup(backup: OpenBackup): RowSource {
  const { migrations, tables, sequences } = backup.manifest;
  const parts = new Map(tables.map((table) => [table.name, table]));
  return {
    migrations,
    tables,
    sequences,
    rows({ name }) {
      const table = parts.get(name);
      return { stream: readParts(backup, table?.parts ?? []), count: async () => table?.rows ?? 0 };
    },
  };
}

async function* readParts(backup: OpenBackup, parts: readonly StoredPart[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield await backup.read(part);
}

function assertCounts({ tables }: Manifest, loaded: readonly LoadedTable[]): void {
  const counts = new Map(loaded.map(({ name, rows }) => [name, rows]));
  for (const { name, rows } of tables) {
    if (counts.get(name) === rows) continue;
    throw new BackupError(
      `The backup has ${counts.get(name)} rows of ${name}, and its manifest says ${rows}. Use another backup.`,
    );
  }
}

/**
 * The secret key is not in the backup. A wrong key is refused, because a store that cannot decrypt its secrets looks damaged. Where there is no
 * key yet, the data is restored, and the start asks for the key.
 */
async function keyCheck({ config, log }: Parts, isOptional: boolean): Promise<KeyCheck> {
  if (isOptional) return async () => {};
  const keys = await readSecretKeys(config);
  const box = keys === null ? null : createSecretBox(keys);
  return async (client) => {
    const samples = await selectSealedSamples(client);
    if (samples.length === 0 || (box !== null && samples.every((sealed) => canOpen(box, sealed)))) return;
    const where =
      config.databaseUrl === undefined
        ? `the file ${secretKeyPath(config.dataDir)}, or POINTKEEPER_SECRET_KEY`
        : "POINTKEEPER_SECRET_KEY";
    if (box === null)
      log.warn(
        { data_dir: config.dataDir },
        `the secret key is not part of a backup, and none is here: provide it as ${where} before you start the store. Where it is lost, see "pointkeeper secrets reset"`,
      );
    else
      throw new BackupError(
        `The secret key is not the one that encrypted the secrets of this backup: it is not part of a backup. Provide it as ${where}, or restore with --without-key and see "pointkeeper secrets reset". Nothing was restored.`,
      );
  };
}

interface Recovery {
  readonly draft: string;
  readonly backup: OpenBackup;
  readonly decoder: PartDecoder;
  readonly log: { readonly dir: string; readonly to: Temporal.Instant | undefined } | undefined;
  readonly checkKey: KeyCheck;
}

async function recoverBase({ config, log }: Parts, recovery: Recovery): Promise<void> {
  const { draft, backup } = recovery;
  const { postgresBin, pageCacheMb } = config;
  await mkdir(draft, { mode: 0o700 });
  await recoverFolder({
    dataDir: draft,
    postgresBin,
    pageCacheMb,
    log,
    major: backup.manifest.postgres.split(".")[0] ?? "",
    fill: async (pgDir) => {
      await pipeline(
        Readable.from(readParts(backup, backup.manifest.base?.parts ?? [])),
        extract({ cwd: pgDir, strict: true, preserveOwner: false }),
      );
      if (recovery.log !== undefined) await putLog(recovery, join(pgDir, "pg_wal"), config.objectStore);
    },
    ...(recovery.log === undefined ? {} : { target: { time: recovery.log.to } }),
  });
  const server = await startEmbeddedServer({ dataDir: draft, postgresBin, pageCacheMb, log, mustExist: true });
  try {
    await withClient(server.connection, recovery.checkKey);
    await migrate(server.connection, { log, serviceRole: EMBEDDED_ROLE }); // of an earlier version, or from before an upgrade that the log has
    await forgetPlans(server.connection);
  } finally {
    await server.stop();
  }
}

/** Puts the archived log where the server finds it without a command. */
async function putLog(
  { backup, decoder, log }: Recovery,
  walDir: string,
  access: ObjectStoreAccess | null,
): Promise<void> {
  const base = backup.manifest.base;
  if (base === null || log === undefined) return;
  const logDir = logDirOf(log.dir, base.systemId);
  const { files, gapAt } = logFrom(await listArchivedLog(logDir, access), base.firstSegment, await readdir(walDir));
  if (gapAt !== null && log.to === undefined) {
    throw new BackupError(
      `The archived log in ${logDir} has a gap: the segment whose name ends with ${segmentSuffix(gapAt)} is missing, and later ones are there. Restore to a time before it with --to, or one backup alone by its own folder.`,
    );
  }
  for (const file of files)
    await writeFile(join(walDir, file.name), await readArchivedFile(file, decoder, access), { mode: 0o600 });
}
