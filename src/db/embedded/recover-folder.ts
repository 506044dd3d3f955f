import { appendFile, chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../../deps.ts";
import { connectClient } from "../connect-client.ts";
import { binariesIn, findBinaries, majorOf } from "./binaries.ts";
import { chooseLauncher } from "./choose-launcher.ts";
import { chooseSocketDir } from "./choose-socket-dir.ts";
import { EmbeddedServerError } from "./embedded-server-error.ts";
import { launchServer, type ServerChild } from "./launch-server.ts";
import { LOCATION_FILE } from "./launcher.ts";
import { runProgram } from "./run-program.ts";
import { connectionTo, logPathOf } from "./server-settings.ts";

export interface RecoveryOptions {
  readonly dataDir: string;
  readonly postgresBin: string | undefined;
  /** The page cache of the server that replays the log, in MB; undefined: according to the memory of the machine or the container. */
  readonly pageCacheMb: number | undefined;
  readonly log: Log;
  /** The major version that created the files: `18`. */
  readonly major: string;
  /** Writes the files of a base backup into the folder, which is empty. */
  readonly fill: (pgDir: string) => Promise<void>;
  /** Recovers beyond the base backup with the log that `fill` wrote to `pg_wal`; absent: to the end of the base backup. */
  readonly target?: { readonly time: Temporal.Instant | undefined };
}

const POLL_MS = 50;
const TARGET_MISSED = /recovery ended before configured recovery target was reached/;
const LAST_TRANSACTION = /last completed transaction was at log time ([^\n]+)/;

/**
 * Creates the PostgreSQL folder of a data folder from a base backup: fills it, lets a server replay its log, however long that takes, and stops the server.
 * Nothing is served meanwhile.
 * @throws EmbeddedServerError for files of another major version, and if the log does not reach the target
 */
export async function recoverFolder(options: RecoveryOptions): Promise<void> {
  const { dataDir, postgresBin, pageCacheMb, log, major } = options;
  const binaries = postgresBin === undefined ? await findBinaries() : await binariesIn(postgresBin);
  if (majorOf(binaries.version) !== major) {
    throw new EmbeddedServerError(
      `The backup is of the files of PostgreSQL ${major}, and the server here is ${binaries.version}. Restore it with POINTKEEPER_PG_BIN set to the programs of PostgreSQL ${major}, or restore a logical backup, which any version reads.`,
    );
  }
  const launcher = await chooseLauncher({ dataDir, binaries, log, endsWithParent: true });
  const pgDir = join(launcher.home, "pg");
  await mkdir(pgDir, { mode: 0o700 });
  await options.fill(pgDir);
  await chmod(pgDir, 0o700);
  const settings = join(pgDir, "postgresql.auto.conf");
  const own = await readFile(settings, "utf8").catch(() => "");
  if (options.target !== undefined) {
    await appendFile(settings, recoverySettings(options.target.time));
    await writeFile(join(pgDir, "recovery.signal"), "");
  }
  if (launcher.owner)
    await runProgram({ file: "chown", args: ["-R", `${launcher.owner.uid}:${launcher.owner.gid}`, pgDir] });
  const socketDir = await chooseSocketDir(launcher);
  const child = await launchServer({ launcher, socketDir, pgDir, logPath: logPathOf(launcher.home), pageCacheMb });
  try {
    await waitUntilRecovered(child, socketDir, options.target?.time);
  } finally {
    child.interrupt();
    while (child.ended() === undefined) await delay(POLL_MS);
  }
  await writeFile(settings, own, { flush: true });
  if (launcher.home !== dataDir) await writeFile(join(dataDir, LOCATION_FILE), `${launcher.home}\n`, { flush: true });
}

// The log is already in pg_wal, so the command that would fetch it finds nothing; `exit` needs no program.
function recoverySettings(time: Temporal.Instant | undefined): string {
  const target = time === undefined ? "" : `recovery_target_time = '${timestampOf(time)}'\n`;
  return `\nhot_standby = off\nrestore_command = 'exit 1'\nrecovery_target_action = 'promote'\n${target}`;
}

/** Returns `2026-03-01 09:30:00.000000+00`: the setting accepts no more digits. */
function timestampOf(time: Temporal.Instant): string {
  return time.toString({ fractionalSecondDigits: 6, roundingMode: "floor" }).replace("T", " ").replace("Z", "+00");
}

/** Waits for the end of the recovery: the server refuses connections while it replays its log. */
async function waitUntilRecovered(
  child: ServerChild,
  socketDir: string,
  time: Temporal.Instant | undefined,
): Promise<void> {
  for (;;) {
    if (child.ended() !== undefined) throw notRecovered(await child.logTail(), time);
    const client = await connectClient(connectionTo(socketDir, "postgres")).catch(() => undefined); // not yet
    if (client !== undefined) {
      await client.end();
      return;
    }
    await delay(POLL_MS);
  }
}

function notRecovered(tail: string, time: Temporal.Instant | undefined): EmbeddedServerError {
  if (TARGET_MISSED.test(tail)) {
    const last = LAST_TRANSACTION.exec(tail)?.[1];
    const found = last === undefined ? "it holds no transaction" : `its last transaction is of ${last}`;
    return new EmbeddedServerError(
      `The archived log ends before ${time?.toString()}: ${found}. Restore to a time before that, or leave --to out to restore all of it.`,
    );
  }
  return new EmbeddedServerError(`The backup could not be recovered. The server's log ends with:\n${tail}`);
}
