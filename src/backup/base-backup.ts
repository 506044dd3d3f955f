import { PassThrough } from "node:stream";
import type pg from "pg";
import type { Db } from "../db/pool.ts";
import { BackupError } from "./manifest.ts";

/** A copy of the files of a running server, as one tar. */
export interface BaseBackup {
  readonly systemId: string;
  /** The first segment of the log that a restore needs; it and the later ones are in the tar. */
  readonly firstSegment: string;
  /** How many bytes of log the server has written since the start of the backup, and keeps for it. */
  readonly heldBytes: () => Promise<number>;
  /** The tar. It is complete only if it can be read to its end without an error. */
  readonly tar: AsyncIterable<Buffer>;
}

// Includes the log written during the backup, so that it can be restored without an archive; every page's checksum is verified.
const BASE_BACKUP = "BASE_BACKUP (LABEL 'pointkeeper', CHECKPOINT 'fast', WAL true, WAIT false, MANIFEST 'no')";
const HELD = "select pg_wal_lsn_diff(pg_current_wal_lsn(), $1::pg_lsn)::double precision as bytes";
/** Keeps the server from removing log that the backup still needs; the slot is dropped with the connection. Each backup has one of its own. */
const holdLog = (pid: number) =>
  `CREATE_REPLICATION_SLOT pointkeeper_backup_${pid} TEMPORARY PHYSICAL (RESERVE_WAL true)`;

/**
 * Copies the files of the embedded server with the replication protocol while it runs.
 * @throws BackupError where the server has tablespaces, which a single tar does not contain
 */
export async function withBaseBackup<T>(db: Db, work: (base: BaseBackup) => Promise<T>): Promise<T> {
  const clients: pg.Client[] = [];
  const connect = async (more?: pg.ClientConfig) => {
    const client = await db.connect(more);
    clients.push(client);
    return client;
  };
  try {
    const control = await connect();
    const holder = await connect(replicating());
    const copier = await connect(replicating());
    const system = await control.query<{ id: string; pid: number }>(
      "select system_identifier::text as id, pg_backend_pid() as pid from pg_control_system()",
    );
    await holder.query(holdLog(system.rows[0]?.pid ?? 0));
    const copy = copyBase(copier);
    const startLsn = await copy.startLsn;
    const segment = await control.query<{ name: string }>("select pg_walfile_name($1::pg_lsn) as name", [startLsn]);
    const result = await work({
      systemId: system.rows[0]?.id ?? "",
      firstSegment: segment.rows[0]?.name ?? "",
      heldBytes: async () => {
        const written = await control.query<{ bytes: number }>(HELD, [startLsn]);
        return written.rows[0]?.bytes ?? 0;
      },
      tar: copy.tar,
    });
    await copy.ended;
    return result;
  } finally {
    await Promise.all(clients.map((client) => client.end().catch(() => {}))); // lost ones have ended
  }
}

// @types/pg does not know the start-up parameter, which the driver passes on
const replicating = (): pg.ClientConfig => ({ replication: "true" }) as pg.ClientConfig; // cast: see above

/** What the driver calls with the server's messages; the type of its submittables does not name them. */
interface CopyMessages {
  submit(connection: { query(text: string): void; stream: { pause(): void; resume(): void } }): void;
  handleRowDescription(message: { fields: readonly { name: string }[] }): void;
  handleDataRow(message: { fields: readonly (string | null)[] }): void;
  handleCommandComplete(): void;
  handleCopyData(message: { chunk: Buffer }): void;
  handleError(error: Error): void;
  handleReadyForQuery(): void;
}

/** A message of an archive begins with a letter for what it is. */
const DATA = "d".charCodeAt(0);
const NEW_ARCHIVE = "n".charCodeAt(0);

function copyBase(client: pg.Client): { startLsn: Promise<string>; tar: PassThrough; ended: Promise<void> } {
  const tar = new PassThrough({ highWaterMark: 2 ** 20 });
  const start = Promise.withResolvers<string>();
  const end = Promise.withResolvers<void>();
  end.promise.catch(() => {}); // the reader of the tar is given the same error
  start.promise.catch(() => {}); // and so is the caller that awaits the start
  let archives = 0;
  let columns: readonly string[] = [];
  let stream: { pause(): void; resume(): void } | undefined;
  let failure: Error | undefined;
  let isFull = false;
  const fail = (error: Error) => {
    failure ??= error;
    start.reject(error);
    end.reject(error);
    tar.destroy(error);
  };
  const messages: CopyMessages = {
    submit(connection) {
      stream = connection.stream;
      connection.query(BASE_BACKUP);
    },
    handleRowDescription(message) {
      columns = message.fields.map(({ name }) => name);
    },
    handleDataRow(message) {
      if (columns[0] === "recptr") start.resolve(message.fields[0] ?? ""); // the second one is that of the end
    },
    handleCommandComplete() {},
    handleCopyData({ chunk }) {
      if (failure !== undefined) return;
      if (chunk[0] === NEW_ARCHIVE && ++archives > 1)
        fail(new BackupError("The database has tablespaces: a physical backup of it is not possible."));
      if (chunk[0] !== DATA || tar.write(Buffer.from(chunk.subarray(1)))) return; // the driver uses its buffer again
      if (isFull) return; // what had arrived before the pause comes all the same
      isFull = true;
      stream?.pause();
      tar.once("drain", () => {
        isFull = false;
        stream?.resume();
      });
    },
    handleError: fail,
    handleReadyForQuery() {
      if (failure !== undefined) return;
      tar.end();
      end.resolve();
    },
  };
  client.once("end", () => fail(new BackupError("The connection to the database was lost during the backup.")));
  tar.on("error", () => stream?.resume()); // what still comes is thrown away
  client.query(messages as unknown as pg.Submittable); // cast: @types/pg names only `submit`
  return { startLsn: start.promise, tar, ended: end.promise };
}
