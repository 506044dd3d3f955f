import { totalmem } from "node:os";
import { join } from "node:path";
import type pg from "pg";

/** The one database of the embedded server, and the owner of all in it: a superuser, for the start and the migrations. */
export const DATABASE_NAME = "pointkeeper";
export const ROLE_NAME = "pointkeeper";
/** Part of the socket's name; no TCP port is opened. */
export const SERVER_PORT = 5432;
/** The kernel ends socket paths at 107 bytes; the name `/.s.PGSQL.5432` takes 14. */
const SOCKET_DIR_BYTES_MAX = 90;

/** An eighth of the machine's memory, within bounds: taken only as data fills it, and shared with whatever else runs there. */
const BUFFERS_PART = 8;
const BUFFERS_MB_MIN = 128;
const BUFFERS_MB_MAX = 4_096;

/** The server's page cache for a machine, or container, of so many bytes of memory, in MB. */
export function sharedBuffersMb(memoryBytes: number): number {
  const part = Math.floor(memoryBytes / BUFFERS_PART / 2 ** 20);
  return Math.min(BUFFERS_MB_MAX, Math.max(BUFFERS_MB_MIN, part));
}

/** Memory that this process may use: the container's limit where there is one below the machine's. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Whether a socket in this folder has a path that the kernel takes. */
export function isSocketDirUsable(dir: string): boolean {
  return Buffer.byteLength(dir) <= SOCKET_DIR_BYTES_MAX;
}

/** Where the server puts full segments of its log, from where the worker takes them (docs/backup.md). */
export interface LogSpool {
  readonly dir: string;
  /** A segment in which anything was written counts as full after so long. */
  readonly seconds: number;
}

/** The folder of the spool below the server's home. */
export function logSpoolOf(home: string): string {
  return join(home, "log-spool");
}

// The server copies each segment by itself, synced and under its final name only when it is whole: no shell or program is needed.
function archiveSettings({ dir, seconds }: LogSpool): Record<string, string | number> {
  return {
    archive_mode: "on",
    archive_library: "basic_archive",
    "basic_archive.archive_directory": dir,
    archive_timeout: seconds,
  };
}

/**
 * The server's settings as `-c` arguments: there they win over its files, and a new version of this code changes them.
 * Nothing acknowledged is ever lost: `fsync`, `synchronous_commit` and `full_page_writes` stay on (program.md 8).
 */
export function serverSettings(socketDir: string, spool?: LogSpool): string[] {
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
    shared_buffers: `${sharedBuffersMb(memoryBytes())}MB`,
    work_mem: "16MB",
    maintenance_work_mem: "128MB",
    // the first change of a page after a checkpoint writes all of it into the log (docs/decisions/0027-rare-checkpoints.md)
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
 * The arguments of `initdb`: data checksums; a locale that sorts by bytes and still lets `pg_trgm` see Japanese (which LC_CTYPE C
 * does not); trust, since only the owner of the private folder reaches the socket.
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
 * Where clients of this server connect. Errors of their statements are theirs to tell: the server's log has none, since a message may
 * carry a value ("invalid input syntax for type date: ...").
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

/** Where the server of a home folder writes its log. */
export function logPathOf(home: string): string {
  return join(home, "postgres.log");
}
