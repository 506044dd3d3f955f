import { totalmem } from "node:os";
import { join } from "node:path";
import type pg from "pg";

/** The single database of the embedded server, and the owner of everything in it: a superuser, for the start and for migrations. */
export const DATABASE_NAME = "pointkeeper";
export const ROLE_NAME = "pointkeeper";
/** Part of the socket's name; no TCP port is opened. */
export const SERVER_PORT = 5432;
/** The kernel limits socket paths to 107 bytes; the name `/.s.PGSQL.5432` takes 14. */
const SOCKET_DIR_BYTES_MAX = 90;

/** An eighth of the machine's memory, within bounds. It is allocated only as data fills it, and shared with other programs on the machine. */
const BUFFERS_PART = 8;
const BUFFERS_MB_MIN = 128;
const BUFFERS_MB_MAX = 4_096;

/** Returns the server's page cache in MB for a machine, or container, with this much memory. */
export function sharedBuffersMb(memoryBytes: number): number {
  const part = Math.floor(memoryBytes / BUFFERS_PART / 2 ** 20);
  return Math.min(BUFFERS_MB_MAX, Math.max(BUFFERS_MB_MIN, part));
}

/** Returns the memory that this process may use: the container's limit if it is below the machine's memory. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Whether a socket in this folder has a path that the kernel accepts. */
export function isSocketDirUsable(dir: string): boolean {
  return Buffer.byteLength(dir) <= SOCKET_DIR_BYTES_MAX;
}

/** Where the server stores full segments of its log until the worker archives them (docs/backup.md). */
export interface LogSpool {
  readonly dir: string;
  /** Seconds after which a segment that has data counts as full. */
  readonly seconds: number;
}

/** Returns the folder of the spool below the server's home. */
export function logSpoolOf(home: string): string {
  return join(home, "log-spool");
}

// The server copies each segment itself, synced and renamed only when it is complete: no shell or program is needed.
function archiveSettings({ dir, seconds }: LogSpool): Record<string, string | number> {
  return {
    archive_mode: "on",
    archive_library: "basic_archive",
    "basic_archive.archive_directory": dir,
    archive_timeout: seconds,
  };
}

/**
 * Returns the server's settings as `-c` arguments: these override its files, and a new version of this code can change them. Nothing
 * acknowledged may ever be lost: `fsync`, `synchronous_commit` and `full_page_writes` stay on (program.md 8).
 */
export function serverSettings(socketDir: string, spool?: LogSpool, pageCacheMb?: number): string[] {
  const settings = {
    listen_addresses: "",
    port: SERVER_PORT,
    unix_socket_directories: `"${socketDir.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    cluster_name: "pointkeeper",
    max_connections: 100,
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    shared_buffers: `${pageCacheMb ?? sharedBuffersMb(memoryBytes())}MB`,
    work_mem: "16MB",
    maintenance_work_mem: "128MB",
    // the first change of a page after a checkpoint writes the whole page into the log (docs/decisions/0027-rare-checkpoints.md)
    checkpoint_timeout: "15min",
    max_wal_size: "4GB",
    min_wal_size: "256MB",
    random_page_cost: "1.1",
    max_locks_per_transaction: 128,
    autovacuum_naptime: "15s",
    jit: "off",
    timezone: "UTC",
    log_timezone: "UTC",
    log_destination: "stderr",
    logging_collector: "off",
    log_line_prefix: "%m [%p] ",
    log_checkpoints: "off",
    log_min_error_statement: "panic", // statements may carry customers' data
    log_error_verbosity: "terse", // so may details: the value of a key that is there already, a whole row
    ...(spool === undefined ? {} : archiveSettings(spool)),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
}

/**
 * Returns the arguments of `initdb`: data checksums; a locale that sorts by bytes and still lets `pg_trgm` process Japanese (LC_CTYPE C
 * does not); trust, because only the owner of the private folder reaches the socket.
 */
export function initdbArguments(dir: string, platform: string): string[] {
  const ctype = platform === "darwin" ? "en_US.UTF-8" : "C.UTF-8";
  return [
    `--pgdata=${dir}`,
    `--username=${ROLE_NAME}`,
    "--auth=trust",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    `--lc-ctype=${ctype}`,
    "--encoding=UTF8",
    "--data-checksums",
    "--no-instructions",
  ];
}

/**
 * Returns the connection for clients of this server. Clients report the errors of their statements themselves: the server's log does not
 * contain them, because a message may contain a value ("invalid input syntax for type date: ...").
 */
export function connectionTo(socketDir: string, database: string): pg.ClientConfig {
  return {
    host: socketDir,
    port: SERVER_PORT,
    user: ROLE_NAME,
    database,
    ssl: false,
    connectionTimeoutMillis: 5_000,
    options: "-c log_min_messages=log",
  };
}

/** Returns the log file of the server of a home folder. */
export function logPathOf(home: string): string {
  return join(home, "postgres.log");
}
