import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import type { Log } from "../../deps.ts";
import { sqlState } from "../pool.ts";
import { chooseSocketDir } from "./choose-socket-dir.ts";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { findRunningServer } from "./find-running-server.ts";
import { isServerOf } from "./is-server-of.ts";
import { launchServer, type ServerChild } from "./launch-server.ts";
import type { Launcher } from "./launcher.ts";
import { type PostmasterFile, parsePostmasterFile } from "./postmaster-file.ts";
import { isDiskFull } from "./server-log.ts";
import { connectionTo, type LogSpool, logPathOf, SERVER_PORT } from "./server-settings.ts";

const POLL_MS = 15;
const SILENCE_MS = 30_000;
/** A server that answers "starting up" replays its log after a crash, "shutting down" writes its checkpoint: in both cases it is not broken. */
const BUSY_MS = 600_000;
const CANNOT_CONNECT_NOW = "57P03";
const TOO_MANY_CONNECTIONS = "53300";
/** Another start, or the stop of the last user, happened at the same time, or processes of a killed server still use the folder. */
const HELD_BY_OTHERS = /lock file ".*" already exists|could not create lock file|pre-existing shared memory block/;

export interface ServerPlace {
  readonly launcher: Launcher;
  readonly pgDir: string;
  readonly log: Log;
  /** Where the log of a server that is started here is archived. */
  readonly spool?: LogSpool | undefined;
  /** The page cache of a server that is started here, in MB; absent: according to the machine's memory. */
  readonly pageCacheMb?: number | undefined;
}

export interface RunningServer {
  readonly pid: number;
  readonly socketDir: string;
  /** An open connection to the database `postgres`, for locks. */
  readonly client: pg.Client;
  /** Whether this call started it; false: it was already running. */
  readonly isOwn: boolean;
}

/**
 * Returns a server of this folder that accepts connections: the running one, or a new one. Never starts a second one; waits for a server that is shutting down
 * or recovering.
 * @throws EmbeddedServerError quoting the server's log if none is available within 30 s
 */
export async function ensureServer(place: ServerPlace): Promise<RunningServer> {
  const startedAt = performance.now();
  let child: ServerChild | undefined;
  let silentSince = startedAt;
  let lastError = "";
  for (;;) {
    const found = await findRunningServer(place.pgDir);
    if (found?.socketDir !== undefined) {
      const answer = await tryConnect(found.socketDir);
      if (answer instanceof pg.Client)
        return { ...running(found, found.socketDir), client: answer, isOwn: child !== undefined };
      lastError = answer.message;
      const code = sqlState(answer);
      if (code === CANNOT_CONNECT_NOW) silentSince = performance.now();
      else if (code !== undefined && code !== TOO_MANY_CONNECTIONS) {
        child?.interrupt();
        throw await failure(place, `refuses connections (${lastError})`, child);
      }
    } else if (found === undefined && (child === undefined || child.ended() !== undefined)) {
      if (child !== undefined) await assertWorthAnotherTry(place, child);
      child = await launch(place);
    }
    const now = performance.now();
    if (now - silentSince > SILENCE_MS || now - startedAt > BUSY_MS) {
      child?.interrupt();
      const waitedS = Math.round((now - startedAt) / 1_000);
      throw await failure(
        place,
        `did not answer within ${waitedS} s${lastError === "" ? "" : ` (${lastError})`}`,
        child,
      );
    }
    await delay(POLL_MS);
  }
}

function running(file: PostmasterFile, socketDir: string): { pid: number; socketDir: string } {
  return { pid: file.pid, socketDir };
}

async function launch(place: ServerPlace): Promise<ServerChild> {
  const { launcher, pgDir, spool, pageCacheMb } = place;
  const socketDir = await chooseSocketDir(launcher);
  await removeStaleSocketLock(socketDir, pgDir);
  return launchServer({ launcher, socketDir, pgDir, logPath: logPathOf(launcher.home), spool, pageCacheMb });
}

async function tryConnect(socketDir: string): Promise<pg.Client | Error> {
  const client = new pg.Client(connectionTo(socketDir, "postgres"));
  client.on("error", () => {}); // without a listener a lost connection would end the process; its "end" is watched
  try {
    await client.connect();
    return client;
  } catch (error) {
    await client.end().catch(() => {});
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function assertWorthAnotherTry(place: ServerPlace, child: ServerChild): Promise<void> {
  if (!HELD_BY_OTHERS.test(await child.logTail()))
    throw await failure(place, `ended at once (${child.ended()})`, child);
  await delay(200);
}

async function failure(place: ServerPlace, what: string, child: ServerChild | undefined): Promise<EmbeddedServerError> {
  const tail = (await child?.logTail()) ?? "";
  const why = isDiskFull(`${what}\n${tail}`) ? ": the disk is full" : "";
  const todo = /has invalid permissions/.test(tail)
    ? `. It must be open to its owner alone: chmod 700 "${place.pgDir}"`
    : "";
  const path = logPathOf(place.launcher.home);
  const log = tail === "" ? `Its log is ${path}.` : `Its log, ${path}, ends with:\n${tail}`;
  return new EmbeddedServerError(`The embedded PostgreSQL in ${place.pgDir} ${what}${why}${todo}. ${log}`);
}

/**
 * Removes the socket's lock file of a server that was killed: it would prevent a new start as long as any process has its process number.
 */
async function removeStaleSocketLock(socketDir: string, pgDir: string): Promise<void> {
  const path = join(socketDir, `.s.PGSQL.${SERVER_PORT}.lock`);
  const text = await readFile(path, "utf8").catch(() => undefined);
  if (text === undefined) return;
  const file = parsePostmasterFile(text);
  if (file === undefined || !(await isServerOf(file.pid, pgDir))) await rm(path, { force: true });
}
