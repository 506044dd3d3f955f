import {
  type Codec,
  flagCodec,
  integerCodec,
  listCodec,
  nullableCodec,
  oneOfCodec,
  record,
  textCodec,
  withDefault,
} from "../db/json-codec.ts";

/** A backup or restore that is not possible; the message gives the reason and what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}

/** A command names a place where there is no backup. */
export class NoBackupError extends BackupError {}

/** Written last: a backup without it is not complete. */
export const MANIFEST_NAME = "manifest.json";
/** The version of the format below. */
export const FORMAT = 1;
/** The most bytes of a part before compression, so that reading and writing take constant memory. */
export const PART_BYTES = 16 * 2 ** 20;

/** One file of a backup, as it is stored: compressed, and encrypted where there are recipients. */
export interface StoredPart {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A table's rows in the text format of COPY, cut into parts at arbitrary bytes. */
export interface StoredTable {
  readonly name: string;
  readonly columns: readonly string[];
  readonly rows: number;
  readonly parts: readonly StoredPart[];
}

/** The value of a sequence. */
export interface StoredSequence {
  readonly name: string;
  /** A bigint, as text. */
  readonly lastValue: string;
  readonly isCalled: boolean;
}

/** A migration that the backed-up database had. */
export interface StoredMigration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

/** A copy of the database's files as one tar, cut into parts; it contains the log that makes it consistent. */
export interface StoredBase {
  /** The system identifier of the cluster; the archived log of another cluster does not fit. */
  readonly systemId: string;
  /** The first segment of the log that a restore needs. */
  readonly firstSegment: string;
  readonly parts: readonly StoredPart[];
}

/** The description of a backup and all its parts. */
export interface Manifest {
  readonly format: number;
  /** `logical`: rows, for any server; `physical`: the files of an embedded database, for the same major version. */
  readonly kind: "logical" | "physical";
  /** The uid of the store's first ledger key, which distinguishes the backups of several stores; null: an earlier version made the backup. */
  readonly store: string | null;
  /** The version of Pointkeeper. */
  readonly version: string;
  /** The `server_version` of PostgreSQL, for example `18.4`. */
  readonly postgres: string;
  /** ISO 8601, by the machine's clock: everything acknowledged before `startedAt` is in the backup. */
  readonly startedAt: string;
  readonly endedAt: string;
  readonly isEncrypted: boolean;
  readonly migrations: readonly StoredMigration[];
  readonly tables: readonly StoredTable[];
  readonly sequences: readonly StoredSequence[];
  /** Null: the backup is logical. */
  readonly base: StoredBase | null;
}

const partCodec = record<StoredPart>({ name: textCodec, bytes: integerCodec, sha256: textCodec });

const manifestCodec: Codec<Manifest> = record<Manifest>({
  format: integerCodec,
  kind: oneOfCodec("logical", "physical"),
  store: withDefault(nullableCodec(textCodec), null),
  version: textCodec,
  postgres: textCodec,
  startedAt: textCodec,
  endedAt: textCodec,
  isEncrypted: flagCodec,
  migrations: listCodec(record<StoredMigration>({ number: integerCodec, name: textCodec, sha256: textCodec })),
  tables: listCodec(
    record<StoredTable>({
      name: textCodec,
      columns: listCodec(textCodec),
      rows: integerCodec,
      parts: listCodec(partCodec),
    }),
  ),
  sequences: listCodec(record<StoredSequence>({ name: textCodec, lastValue: textCodec, isCalled: flagCodec })),
  base: nullableCodec(
    record<StoredBase>({ systemId: textCodec, firstSegment: textCodec, parts: listCodec(partCodec) }),
  ),
});

/** Returns the text of `manifest.json`. */
export function encodeManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifestCodec.encode(manifest), null, 1)}\n`;
}

/**
 * Parses `manifest.json`; `place` names the backup in errors.
 * @throws BackupError for a damaged manifest, or one of a newer format
 */
export function parseManifest(text: string, place: string): Manifest {
  let manifest: Manifest;
  try {
    const stored: unknown = JSON.parse(text);
    manifest = manifestCodec.decode(stored);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BackupError(`${MANIFEST_NAME} of ${place} is damaged: ${reason}. Use another backup.`);
  }
  if (manifest.format !== FORMAT) {
    throw new BackupError(
      `${place} has the format ${manifest.format}; this Pointkeeper reads ${FORMAT}. Restore it with the version that made it, ${manifest.version}, or a later one.`,
    );
  }
  return manifest;
}

/** Returns every part of a backup, in the order in which it was written. */
function partsOf({ tables, base }: Pick<Manifest, "tables" | "base">): readonly StoredPart[] {
  return [...tables.flatMap(({ parts }) => parts), ...(base?.parts ?? [])];
}

/** Returns the count of a backup's rows. */
export function rowsOf({ tables }: Pick<Manifest, "tables">): number {
  return tables.reduce((sum, { rows }) => sum + rows, 0);
}

/** Returns the bytes of a backup as it is stored. */
export function bytesOf(manifest: Pick<Manifest, "tables" | "base">): number {
  return partsOf(manifest).reduce((sum, { bytes }) => sum + bytes, 0);
}
