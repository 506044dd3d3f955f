import { setTimeout as delay } from "node:timers/promises";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { ensureServer, type RunningServer, type ServerPlace } from "./ensure-server.ts";
import { shutDownServer } from "./shut-down-server.ts";

/** The class of advisory locks in the database `postgres`; they end with the connection of a killed process. */
const LOCK_CLASS = 7_065_734;
const USERS_LOCK = 1;
const SERVICE_LOCK = 2;

const RESTART_DELAYS_MS = [0, 100, 250, 500, 1_000, 2_000, 5_000];
const CLAIM_MS = 1_500;
const LAST_USER_MS = 5_000;
/** The connection of a user that was just killed may still be closing. */
const CLOSING_USER_MS = 500;
const POLL_MS = 25;

/**
 * The checkpointer closes segments after archive_timeout, but not while the server recovers: if it looks before the recovery has ended, it sleeps until the
 * next checkpoint, a quarter of an hour in which nothing is archived. A reload wakes it.
 */
const WAKE_CHECKPOINTER = "select pg_reload_conf()";

export interface SharedServer {
  readonly socketDir: string;
  pid(): number | undefined;
  claimService(): Promise<void>;
  tryClaimService(): Promise<boolean>;
  stop(): Promise<void>;
}

/**
 * Joins the users of a folder's server. Each holds a shared lock on its own connection, and only a user that gets the exclusive lock stops
 * the server. If the connection is lost, the server is started or found again, until `stop`.
 */
export async function shareServer(place: ServerPlace, dataDir: string): Promise<SharedServer> {
  let current: RunningServer | undefined;
  let isService = false;
  const stopping = new AbortController();
  let recovery: Promise<void> | undefined;

  async function join(): Promise<RunningServer> {
    const server = await ensureServer(place);
    try {
      await server.client.query("select pg_advisory_lock_shared($1, $2)", [LOCK_CLASS, USERS_LOCK]);
      if (isService) await takeServiceLock(server, dataDir);
      if (place.spool !== undefined) await server.client.query(WAKE_CHECKPOINTER);
    } catch (error) {
      await server.client.end().catch(() => {});
      throw error;
    }
    server.client.once("end", () => {
      if (current !== server) return;
      current = undefined;
      if (!stopping.signal.aborted) recovery = recover();
    });
    current = server;
    return server;
  }

  async function recover(): Promise<void> {
    place.log.warn({ folder: place.pgDir }, "the embedded database is gone: starting it again");
    for (let attempt = 0; !stopping.signal.aborted; attempt++) {
      try {
        await delay(RESTART_DELAYS_MS[Math.min(attempt, RESTART_DELAYS_MS.length - 1)], undefined, {
          signal: stopping.signal,
        });
        const { pid } = await join();
        place.log.info({ pid }, "the embedded database answers again");
        return;
      } catch (error) {
        if (stopping.signal.aborted) return;
        place.log.error({ error, attempt }, "the embedded database could not be started again");
      }
    }
  }

  async function claimService(): Promise<void> {
    await recovery;
    if (current === undefined) throw new EmbeddedServerError(`The database in ${place.pgDir} was stopped.`);
    await takeServiceLock(current, dataDir);
    isService = true;
  }

  async function tryClaimService(): Promise<boolean> {
    if (current !== undefined && (await tryLock(current, SERVICE_LOCK))) isService = true;
    return isService;
  }

  async function stop(): Promise<void> {
    stopping.abort();
    await recovery;
    const server = current;
    current = undefined;
    if (server === undefined) return;
    try {
      if (await leave(place, server)) await shutDownServer(place, server);
    } finally {
      await server.client.end().catch(() => {});
    }
  }

  const { socketDir } = await joinFirst(join);
  return { socketDir, pid: () => current?.pid, claimService, tryClaimService, stop };
}

/** Joins with one retry: the server that was found may just be stopped by its last user. */
async function joinFirst(join: () => Promise<RunningServer>): Promise<RunningServer> {
  try {
    return await join();
  } catch (error) {
    if (error instanceof EmbeddedServerError) throw error;
    return join();
  }
}

async function takeServiceLock(server: RunningServer, dataDir: string): Promise<void> {
  const giveUpAt = performance.now() + CLAIM_MS; // the connection of a service killed just now may still be closing
  while (!(await tryLock(server, SERVICE_LOCK))) {
    if (performance.now() > giveUpAt) {
      throw new EmbeddedServerError(
        `Another Pointkeeper service already uses ${dataDir}. Stop it first, or name another folder with POINTKEEPER_DATA_DIR.`,
      );
    }
    await delay(POLL_MS);
  }
}

async function tryLock(server: RunningServer, lock: number): Promise<boolean> {
  const answer = await server.client.query<{ taken: boolean }>("select pg_try_advisory_lock($1, $2) as taken", [
    LOCK_CLASS,
    lock,
  ]);
  return answer.rows[0]?.taken === true;
}

/**
 * Releases this process's locks; returns true if no other process uses the server. Waits a little for the others if the server would end
 * with this process.
 */
async function leave(place: ServerPlace, server: RunningServer): Promise<boolean> {
  try {
    await server.client.query("select pg_advisory_unlock_all()");
    const giveUpAt =
      performance.now() + (server.isOwn && place.launcher.endsWithParent ? LAST_USER_MS : CLOSING_USER_MS);
    for (;;) {
      if (await tryLock(server, USERS_LOCK)) return true;
      if (performance.now() > giveUpAt) return false;
      await delay(POLL_MS);
    }
  } catch {
    return false; // the connection is lost, so the server is gone or going
  }
}
