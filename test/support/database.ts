import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { inject } from "vitest";
import { type Db, openPool } from "../../src/db/pool.ts";
import { SERVICE_ROLE } from "../../src/db/roles/service-grants.ts";
import { TEMPLATE_DATABASE } from "./global-setup.ts";

const TRIES_MAX = 100;
/** "source database is being accessed by other users", for example by the autovacuum. */
const OBJECT_IN_USE = "55006";

/** A separate database for one test file. */
export interface TestDatabase {
  /** The service's role, which may do what its statements need. */
  readonly connection: pg.ClientConfig;
  readonly db: Db;
  /** The owner of the tables, who may do everything: for what a test creates or breaks. */
  readonly ownerConnection: pg.ClientConfig;
  readonly owner: Db;
  /** Closes both and removes the database, even if others are connected to it. */
  drop(): Promise<void>;
}

/** Clones the migrated template. Call it once per file, in `beforeAll`; `drop` in `afterAll`. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server: pg.ClientConfig = { ...inject("databaseServer"), ssl: false };
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  const servers = [...inject("databaseWorkers").map((worker) => ({ ...worker, ssl: false })), server];
  for (const each of servers) await runAsAdmin(each, (client) => clone(client, database));
  const ownerConnection = { ...server, database };
  const connection = { ...ownerConnection, user: SERVICE_ROLE };
  const db = openPool({ connection, ownerConnection });
  const owner = openPool({ connection: ownerConnection, connectionsMax: 4 });
  async function drop(): Promise<void> {
    await db.close();
    await owner.close();
    for (const each of servers.toReversed())
      await runAsAdmin(each, (client) => client.query(`drop database if exists ${database} with (force)`));
  }
  return { connection, db, ownerConnection, owner, drop };
}

/** An empty database, and its URL for the settings of a process. */
export interface EmptyDatabase {
  readonly connection: pg.ClientConfig;
  readonly url: string;
  drop(): Promise<void>;
}

export async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const server: pg.ClientConfig = { ...inject("databaseServer"), ssl: false };
  const database = `test_${randomUUID().replaceAll("-", "")}`;
  await runAsAdmin(server, (client) => client.query(`create database ${database} template template0`));
  const url = `postgresql://${server.user}@/${database}?host=${encodeURIComponent(String(server.host))}&port=${server.port}`;
  const drop = () =>
    runAsAdmin(server, async (client) => void (await client.query(`drop database if exists ${database} with (force)`)));
  return { connection: { ...server, database }, url, drop };
}

async function runAsAdmin(server: pg.ClientConfig, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ ...server, database: "postgres" });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

async function clone(client: pg.Client, database: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      // Copied as files: a clone that is written block by block through the log takes five times the processor time.
      await client.query(`create database ${database} template ${TEMPLATE_DATABASE} strategy file_copy`);
      return;
    } catch (error) {
      const isBusy = error instanceof pg.DatabaseError && error.code === OBJECT_IN_USE;
      if (!isBusy || attempt === TRIES_MAX) throw error;
      await delay(50);
    }
  }
}
