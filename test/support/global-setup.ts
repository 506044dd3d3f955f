import { existsSync } from "node:fs";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { DATABASE_NAME } from "../../src/db/embedded/server-settings.ts";
import { startEmbeddedServer } from "../../src/db/embedded/start-embedded-server.ts";
import { migrate } from "../../src/db/migrate.ts";
import { EMBEDDED_ROLE } from "../../src/db/roles/grant-service-role.ts";
import { closeLaterFunctions } from "./later-functions.ts";
import { NEW_STORE } from "./new-store.ts";
import { openToService } from "./open-to-service.ts";
import { scratchRoot } from "./scratch-root.ts";
import { PAGE_CACHE_MB } from "./service-process.ts";

/** A migrated database without connections, so that it can be cloned at any time. */
export const TEMPLATE_DATABASE = "template_pointkeeper";

/** The address of the tests' server. */
export interface TestServer {
  readonly host: string;
  readonly port: number;
  readonly user: string;
}

declare module "vitest" {
  interface ProvidedContext {
    databaseServer: TestServer;
    /** The workers of a Citus whose coordinator is `databaseServer`; empty for a plain PostgreSQL. */
    databaseWorkers: readonly TestServer[];
  }
}

/** Starts one embedded server with its real settings, except the page cache, for the whole run; its folder is removed at the end. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(scratchRoot(), "pointkeeper-test-"));
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  try {
    const dataDir = join(folder, "data");
    await makeNewStore(dataDir, join(folder, "new"));
    const server = await startEmbeddedServer({ dataDir, pageCacheMb: PAGE_CACHE_MB });
    const teardown = async () => {
      await server.stop();
      await remove();
    };
    try {
      const { host = "", port = 0, user = "" } = server.connection;
      await makeTemplate(server.connection);
      project.provide("databaseServer", { host, port, user });
      project.provide("databaseWorkers", []);
      return teardown;
    } catch (error) {
      await server.stop();
      throw error;
    }
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Makes the database of a first start, and a copy of it for the services that tests start. */
async function makeNewStore(dataDir: string, copy: string): Promise<void> {
  const server = await startEmbeddedServer({ dataDir });
  await migrate(server.connection, { serviceRole: EMBEDDED_ROLE }).finally(() => server.stop());
  if (!existsSync(join(dataDir, "pg"))) return; // of root, on a machine without user namespaces, it lies elsewhere
  await cp(dataDir, copy, { recursive: true });
  process.env[NEW_STORE] = copy;
}

async function makeTemplate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await client.query(`create database ${TEMPLATE_DATABASE} template ${DATABASE_NAME}`);
    await openToService({ ...connection, database: TEMPLATE_DATABASE });
    await closeLaterFunctions({ ...connection, database: TEMPLATE_DATABASE });
    await client.query(`alter database ${TEMPLATE_DATABASE} with is_template true allow_connections false`);
  } finally {
    await client.end();
  }
}
