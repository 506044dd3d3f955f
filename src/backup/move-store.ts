import { resolve } from "node:path";
import type pg from "pg";
import type { Config } from "../config.ts";
import { connectClient } from "../db/connect-client.ts";
import { externalConnection } from "../db/connection.ts";
import { startEmbeddedServer } from "../db/embedded/start-embedded-server.ts";
import { withClient } from "../db/with-client.ts";
import type { Log } from "../deps.ts";
import { assertEmpty } from "./assert-empty.ts";
import { assertNoOtherSessions } from "./assert-no-other-sessions.ts";
import { type CatalogTable, selectDigests, selectTables, type TableDigest } from "./catalog-queries.ts";
import { fillDataFolder } from "./fill-data-folder.ts";
import { loadRows } from "./load-rows.ts";
import { BackupError } from "./manifest.ts";
import { openRowSource, prepareSession, type RowSource } from "./row-source.ts";

export interface MoveOrder {
  /** The store's database; its service is stopped. */
  readonly source: pg.ClientConfig;
  /** `postgresql://...`, an empty database, or a data folder without a store. */
  readonly to: string;
  /** Checks the ledger of a database; `side` names it in what is printed. */
  readonly verify: (connection: pg.ClientConfig, side: "source" | "target") => Promise<boolean>;
}

export interface MovedStore {
  readonly tables: number;
  readonly rows: bigint;
}

const TARGET = "The database of --to";
const URL = /^postgres(?:ql)?:\/\//;

/**
 * Copies a stopped store to another database: all rows, in one transaction there, while the source is locked against writing. Compares the
 * digests of all tables and verifies the ledger on both sides before it commits; the source does not change.
 * @throws BackupError where anything differs, the target is not empty, or the source has other connections; ConfigError for a URL that cannot be used
 */
export async function moveStore(
  { config, log }: { readonly config: Config; readonly log: Log },
  { source, to, verify }: MoveOrder,
): Promise<MovedStore> {
  const target = URL.test(to) ? externalConnection(to, "--to", {}) : null;
  if (target !== null) await assertUsable(source, target); // verifying the source may take an hour
  if (!(await verify(source, "source")))
    throw new BackupError("The ledger of the source does not hold: nothing was moved. See the lines above.");
  const client = await connectClient(source);
  try {
    await assertNoOtherSessions(client, "Nothing was moved.");
    await prepareSession(client);
    await lockRows(client);
    const rows = await openRowSource(client, (table) =>
      log.warn({ table }, "a table that is not Pointkeeper's is not moved"),
    );
    const digests = await selectDigests(client, rows.tables);
    const copy = async (connection: pg.ClientConfig, place: string) => {
      await copyRows({ target: connection, place }, rows, digests);
      if (!(await verify(connection, "target")))
        throw new BackupError("The ledger of the target does not hold: use the source. See the lines above.");
    };
    if (target !== null) await copy(target, TARGET);
    else await intoFolder({ config, log }, to, copy);
    return { tables: digests.length, rows: digests.reduce((sum, digest) => sum + BigInt(digest.rows), 0n) };
  } finally {
    await client.end().catch(() => {}); // a lost connection has ended
  }
}

/** @throws where the target cannot be reached or is not empty */
async function assertUsable(source: pg.ClientConfig, target: pg.ClientConfig): Promise<void> {
  await withClient(target, async (client) => assertEmpty(client, await withClient(source, selectTables), TARGET));
}

async function intoFolder(
  { config, log }: { readonly config: Config; readonly log: Log },
  folder: string,
  copy: (target: pg.ClientConfig, place: string) => Promise<void>,
): Promise<void> {
  await fillDataFolder({ dataDir: resolve(folder) }, async (draft) => {
    const { postgresBin, pageCacheMb } = config;
    const server = await startEmbeddedServer({ dataDir: draft, postgresBin, pageCacheMb, log });
    try {
      await copy(server.connection, "The new database");
    } finally {
      await server.stop();
    }
  });
}

/** Until the end of the transaction nobody can write, and all reads are of one snapshot. */
async function lockRows(client: pg.Client): Promise<void> {
  const tables = await selectTables(client);
  await client.query("begin isolation level repeatable read");
  await client.query(`lock table ${tables.map(({ name }) => client.escapeIdentifier(name)).join(", ")} in share mode`);
}

async function copyRows(
  { target, place }: { readonly target: pg.ClientConfig; readonly place: string },
  source: RowSource,
  digests: readonly TableDigest[],
): Promise<void> {
  await withClient(target, async (client) => {
    const check = () => assertEqual(client, source.tables, digests);
    await loadRows(client, source, { place, check });
    await client.query("analyze");
  });
}

async function assertEqual(
  client: pg.Client,
  tables: readonly CatalogTable[],
  digests: readonly TableDigest[],
): Promise<void> {
  const found = new Map((await selectDigests(client, tables)).map((digest) => [digest.name, digest]));
  for (const { name, rows, digest } of digests) {
    const copied = found.get(name);
    if (copied?.rows === rows && copied.digest === digest) continue;
    throw new BackupError(
      `The rows of ${name} are not the same in the target (${copied?.rows ?? 0} of ${rows}): nothing was moved. This is a fault of Pointkeeper: please report it.`,
    );
  }
}
