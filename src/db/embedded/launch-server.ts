import { spawn } from "node:child_process";
import { chown, mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { spawnOptions } from "./command.ts";
import type { Launcher } from "./launcher.ts";
import { endOfLog } from "./server-log.ts";
import { type LogSpool, serverSettings } from "./server-settings.ts";

const LOG_BYTES_MAX = 10_000_000;
const LOG_READ_BYTES = 64_000;
/** A segment that a server was copying into the spool when it was killed. No server removes those of another one. */
const SPOOL_DRAFT = /^archtemp\./;

/** A server process started by this one. */
export interface ServerChild {
  /** Returns how it ended; undefined while it runs. */
  ended(): string | undefined;
  /** Returns the end of what it wrote to its log since it was started, without noise. */
  logTail(): Promise<string>;
  interrupt(): void;
}

/** Starts the server in a separate session (Ctrl-C reaches only the service). Its output is appended to `logPath`. Does not wait until it answers. */
export async function launchServer(options: {
  launcher: Launcher;
  socketDir: string;
  pgDir: string;
  logPath: string;
  spool?: LogSpool | undefined;
  pageCacheMb?: number | undefined;
}): Promise<ServerChild> {
  const { launcher, socketDir, pgDir, logPath, spool, pageCacheMb } = options;
  if (spool !== undefined) await makeSpool(launcher, spool);
  if (((await stat(logPath).catch(() => undefined))?.size ?? 0) > LOG_BYTES_MAX) await rename(logPath, `${logPath}.1`);
  const output = await open(logPath, "a", 0o600);
  const begin = (await output.stat()).size;
  const settings = serverSettings(socketDir, spool, pageCacheMb);
  const command = launcher.command(launcher.binaries.postgres, ["-D", pgDir, ...settings]);
  let ended: string | undefined;
  try {
    const child = spawn(command.file, command.args, {
      ...spawnOptions(command),
      detached: true,
      stdio: ["ignore", output.fd, output.fd],
    });
    child.once("exit", (code, signal) => {
      ended = signal === null ? `exit code ${code}` : `signal ${signal}`;
    });
    child.once("error", (error) => {
      ended = error.message;
    });
    child.unref();
    return { ended: () => ended, logTail: () => readTail(logPath, begin), interrupt: () => void child.kill("SIGINT") };
  } finally {
    await output.close();
  }
}

/** Makes the folder of the spool, without which a server archives nothing, and removes from it what no server completes. */
async function makeSpool({ owner }: Launcher, { dir }: LogSpool): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (owner) await chown(dir, owner.uid, owner.gid);
  for (const name of await readdir(dir).catch(() => []))
    if (SPOOL_DRAFT.test(name)) await rm(join(dir, name), { force: true });
}

async function readTail(path: string, begin: number): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const position = Math.max(begin, size - LOG_READ_BYTES);
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(LOG_READ_BYTES), position });
    return endOfLog(buffer.toString("utf8", 0, bytesRead));
  } finally {
    await file.close();
  }
}
