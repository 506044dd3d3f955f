import { statfs } from "node:fs/promises";
import project from "../../package.json" with { type: "json" };
import { homeOf } from "../db/embedded/launcher.ts";
import type { Deps } from "../deps.ts";
import { isObjectPlace } from "../object-store/object-place.ts";
import { answered } from "./answered.ts";
import { placePath, splitPath } from "./backup-place.ts";
import { type BackupRunEnd, endBackupRun, insertBackupRun, selectStoreUid } from "./backup-queries.ts";
import { type BackupTarget, finishBackup, openTarget, putParts } from "./backup-target.ts";
import { withBaseBackup } from "./base-backup.ts";
import { heldTarget } from "./held-target.ts";
import { BackupError, bytesOf, type Manifest, rowsOf, type StoredTable } from "./manifest.ts";
import { createEncoder, type PartEncoder } from "./part-coder.ts";
import { openRowSource, prepareSession } from "./row-source.ts";
import { whileLogFits } from "./while-log-fits.ts";

export interface BackupOrder {
  /** A new folder, which may be in a bucket, or a new file that ends in `.tar`. */
  readonly path: string;
  readonly kind: Manifest["kind"];
  readonly cause: "schedule" | "command";
  /** Aborts the backup; its files are removed. */
  readonly signal?: AbortSignal;
}

type Body = Pick<Manifest, "migrations" | "tables" | "sequences" | "base">;
type Output = { readonly target: BackupTarget; readonly encoder: PartEncoder };

const SNAPSHOT = "begin isolation level repeatable read read only";

/**
 * Backs the store up while it runs. The backup contains everything that was acknowledged before the call, in one snapshot, and appears at its
 * path when it is complete. The run is recorded in `backup_run`, also where it fails.
 * @throws BackupError where the backup cannot be made or written
 */
export async function backUp(
  deps: Pick<Deps, "db" | "config" | "random" | "log">,
  { path, kind, cause, signal }: BackupOrder,
): Promise<Manifest> {
  const { db, config } = deps;
  if (kind === "physical" && config.databaseUrl !== undefined)
    throw new BackupError(
      "A physical backup is made of the embedded database alone: that of DATABASE_URL is backed up by its rows.",
    );
  const encoder = createEncoder(config.backup.recipients);
  const run = { uid: deps.random.uid(), cause, kind, place: placePath(path) };
  const end: BackupRunEnd = { uid: run.uid, error: null, rows: null, bytes: null, isEncrypted: encoder.isEncrypted };
  await insertBackupRun(db, run);
  const recordEnd = (ended: Partial<BackupRunEnd>) =>
    endBackupRun(db, { ...end, ...ended }).catch((failed: unknown) => {
      if (signal?.aborted !== true) deps.log.warn({ error: failed }, "the end of a backup could not be recorded");
    });
  let manifest: Manifest;
  try {
    manifest = await write(deps, { path, kind, signal, encoder });
  } catch (error) {
    // a scheduled one that ended with its worker did not fail: the next worker makes it
    if (cause !== "schedule" || signal?.aborted !== true)
      await recordEnd({ error: error instanceof Error ? error.message : String(error) });
    throw error;
  }
  // a backup that is whole is none that failed, whatever became of the database since
  await recordEnd({ rows: kind === "physical" ? null : rowsOf(manifest), bytes: bytesOf(manifest) });
  return manifest;
}

async function write(
  deps: Pick<Deps, "db" | "log" | "config">,
  order: Pick<BackupOrder, "path" | "kind"> & {
    readonly signal: AbortSignal | undefined;
    readonly encoder: PartEncoder;
  },
): Promise<Manifest> {
  const { kind, encoder } = order;
  const { path, signal } = order;
  const open = () => openTarget(path, deps.config.objectStore, signal);
  const folder = splitPath(placePath(path)).parent;
  const target = heldTarget(await (isObjectPlace(path) ? open() : answered(path, open, { signal, folder })), signal);
  try {
    const startedAt = Temporal.Now.instant();
    const output = { target, encoder };
    const body = kind === "physical" ? await writeBase(deps, output) : await writeRows(deps, output, signal);
    const [server] = await deps.db.query<{ version: string }>("select current_setting('server_version') as version");
    return await finishBackup(target, {
      kind,
      store: await selectStoreUid(deps.db),
      version: project.version,
      postgres: server?.version ?? "",
      startedAt: startedAt.toString(),
      endedAt: Temporal.Now.instant().toString(),
      isEncrypted: encoder.isEncrypted,
      ...body,
    });
  } catch (error) {
    await target.discard();
    throw error;
  }
}

async function writeRows(
  { db, log }: Pick<Deps, "db" | "log">,
  output: Output,
  signal: AbortSignal | undefined,
): Promise<Body> {
  const client = await db.connect();
  const cut = () => void client.end().catch(() => {}); // it may wait for a lock, or for rows
  signal?.addEventListener("abort", cut, { once: true });
  try {
    await prepareSession(client);
    await client.query(SNAPSHOT);
    const source = await openRowSource(client, (table) =>
      log.warn({ table }, "a table that is not Pointkeeper's is not backed up"),
    );
    const tables: StoredTable[] = [];
    for (const table of source.tables) {
      const rows = source.rows(table);
      const parts = await putParts(output, `data/${table.name}/`, rows.stream);
      tables.push({ ...table, rows: await rows.count(), parts });
    }
    await client.query("commit");
    return { migrations: source.migrations, tables, sequences: source.sequences, base: null };
  } finally {
    signal?.removeEventListener("abort", cut);
    await client.end().catch(() => {}); // a lost connection has ended
  }
}

async function writeBase({ db, config }: Pick<Deps, "db" | "config">, output: Output): Promise<Body> {
  const home = await homeOf(config.dataDir);
  const freeBytes = async () => {
    const { bavail, bsize } = await statfs(home);
    return bavail * bsize;
  };
  const migrations = await db.query<Manifest["migrations"][number]>(
    "select number, name, sha256 from migration order by number",
  );
  const base = await withBaseBackup(db, async ({ systemId, firstSegment, heldBytes, tar }) => {
    const target = whileLogFits(output.target, { heldBytes, freeBytes });
    return { systemId, firstSegment, parts: await putParts({ ...output, target }, "base/", tar) };
  });
  return { migrations, tables: [], sequences: [], base };
}
