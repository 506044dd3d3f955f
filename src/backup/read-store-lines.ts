import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { excessOfBytes, JSON_DEPTH_MAX } from "../json-scan.ts";
import { BackupError } from "./manifest.ts";
import { readStoreEnd, readStoreHeader, STORE_FORMAT, type StoreHeader } from "./store-header.ts";
import { type CatalogColumn, fieldName, isWritten, LINE_TYPES, type LineType, writtenColumns } from "./store-lines.ts";

/** Consecutive lines of one type. */
export interface LineBatch {
  readonly lineType: LineType;
  /** The number of the first line, counted from 1. */
  readonly firstLine: number;
  /** The lines exactly as in the file. */
  readonly lines: readonly string[];
}

/** The properties of a file, known once it was read to its end. */
export interface ReadStoreFile {
  readonly header: StoreHeader;
  readonly lines: Readonly<Record<string, number>>;
  readonly sha256: string;
}

export interface StoreFileOrder {
  readonly path: string;
  /** The columns that lines may contain, by table. */
  readonly columns: ReadonlyMap<string, readonly CatalogColumn[]>;
  /** The number of the last migration of this database. */
  readonly schema: number;
  /** Called with the bytes read and the size of the file. */
  readonly onProgress?: (lines: number) => void;
}

const BATCH_LINES = 1_000;
const BATCH_BYTES = 4 * 2 ** 20;
/** No row is larger: a received event has at most 10 MB, which are base64 here. */
const LINE_BYTES_MAX = 64 * 2 ** 20;
/** A row's own JSON is nested in `data` and its field. */
const LIMITS = { depth: JSON_DEPTH_MAX + 8, elements: 5_000_000 };
const NEW_LINE = 0x0a;

/**
 * Reads a file of the whole store in batches of lines and checks it: every line is an object of a known type with known fields, and the
 * counts and SHA-256 of the last line match the lines before it. Returns the properties of the file.
 * @throws BackupError naming the line, for any fault; until it returns, nothing that was read is confirmed
 */
export async function* readStoreLines(order: StoreFileOrder): AsyncGenerator<LineBatch, ReadStoreFile> {
  const hash = createHash("sha256");
  const reading: Reading = { header: null, known: new Map(), lines: {}, batch: null, sha256: null };
  let n = 0;
  for await (const { bytes, hasEnd } of linesOf(order.path)) {
    n += 1;
    if (reading.sha256 !== null) throw refusal(n, "a line stands behind the type end");
    const { line, text } = parseLine(bytes, n, hasEnd);
    if (line.type === "end") {
      yield* flush(reading);
      finish(reading, n, line.data, hash.digest("hex"));
      continue;
    }
    hash.update(bytes).update("\n");
    if (n === 1) begin(reading, order, line.type, line.data);
    else yield* add(reading, n, line, text);
    order.onProgress?.(n);
  }
  return resultOf(reading, n);
}

function refusal(n: number, fault: string): BackupError {
  return new BackupError(`Line ${n.toLocaleString("en")}: ${fault}. Nothing was imported.`);
}

interface KnownType {
  readonly lineType: LineType;
  readonly fields: ReadonlySet<string>;
}

/** The progress of reading a file. */
interface Reading {
  header: StoreHeader | null;
  /** By `type`. */
  known: ReadonlyMap<string, KnownType>;
  readonly lines: Record<string, number>;
  batch: { readonly lineType: LineType; readonly firstLine: number; readonly lines: string[]; bytes: number } | null;
  /** Set by the last line. */
  sha256: string | null;
}

function begin(reading: Reading, { columns, schema }: StoreFileOrder, type: string, data: unknown): void {
  const header = type === "header" ? readStoreHeader(data) : "expected the type header: the file is not a whole store";
  if (typeof header === "string") throw refusal(1, header);
  if (header.format !== STORE_FORMAT)
    throw refusal(1, `the format is ${header.format}, and this release reads ${STORE_FORMAT}`);
  if (header.schema !== schema) {
    throw refusal(
      1,
      `the file was made by Pointkeeper ${header.release} with the schema ${header.schema}, and this store has the schema ${schema}: import it with the release that made it, then update`,
    );
  }
  const withSecrets = header.with_secrets;
  reading.header = header;
  reading.known = new Map(
    LINE_TYPES.filter((lineType) => isWritten(lineType, withSecrets)).map((lineType) => {
      const written = writtenColumns(lineType, columns.get(lineType.table) ?? [], withSecrets);
      return [lineType.type, { lineType, fields: new Set(written.map(({ name }) => fieldName(lineType, name))) }];
    }),
  );
}

/** Adds a line, and yields each batch that is complete. */
function* add(reading: Reading, n: number, { type, data }: Line, text: string): Generator<LineBatch> {
  const known = reading.known.get(type);
  if (known === undefined) throw refusal(n, `type: "${type.slice(0, 100)}" is not a type of this file`);
  const unknown = Object.keys(data).find((name) => !known.fields.has(name));
  if (unknown !== undefined) throw refusal(n, `data.${unknown.slice(0, 100)}: a ${type} has no such field`);
  reading.lines[type] = (reading.lines[type] ?? 0) + 1;
  if (reading.batch?.lineType !== known.lineType) yield* flush(reading);
  reading.batch ??= { lineType: known.lineType, firstLine: n, lines: [], bytes: 0 };
  reading.batch.lines.push(text);
  reading.batch.bytes += text.length;
  if (reading.batch.lines.length >= BATCH_LINES || reading.batch.bytes >= BATCH_BYTES) yield* flush(reading);
}

function* flush(reading: Reading): Generator<LineBatch> {
  const { batch } = reading;
  reading.batch = null;
  if (batch !== null) yield batch;
}

function finish(reading: Reading, n: number, data: unknown, sha256: string): void {
  const end = reading.header === null ? "expected the type header first" : readStoreEnd(data);
  if (typeof end === "string") throw refusal(n, end);
  if (end.sha256 !== sha256)
    throw refusal(n, "data.sha256 is not that of the lines before it: the file is damaged or was changed");
  const types = new Set([...Object.keys(end.lines), ...Object.keys(reading.lines)]);
  const wrong = [...types].find((type) => end.lines[type] !== reading.lines[type]);
  if (wrong !== undefined) {
    const [said, found] = [end.lines[wrong] ?? 0, reading.lines[wrong] ?? 0];
    throw refusal(n, `data.lines.${wrong.slice(0, 100)} is ${said}, and there are ${found}`);
  }
  const lacking = LINE_TYPES.find(({ isOne, type }) => isOne === true && reading.lines[type] !== 1);
  if (lacking !== undefined) throw refusal(n, `expected one line of the type ${lacking.type}`);
  reading.sha256 = sha256;
}

function resultOf({ header, lines, sha256 }: Reading, n: number): ReadStoreFile {
  if (n === 0) throw new BackupError("The file is empty. Nothing was imported.");
  if (header === null || sha256 === null) {
    throw new BackupError(
      `The file ends after ${n.toLocaleString("en")} lines without the type end, its last line: it was cut. Nothing was imported.`,
    );
  }
  return { header, lines, sha256 };
}

interface Line {
  readonly type: string;
  readonly data: object;
}

const UTF_8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parseLine(bytes: Buffer, n: number, hasEnd: boolean): { line: Line; text: string } {
  const excess = excessOfBytes(bytes, LIMITS);
  if (excess !== null) throw refusal(n, `above the limit of ${LIMITS[excess].toLocaleString("en")} ${excess}`);
  let text: string;
  let value: unknown;
  try {
    text = UTF_8.decode(bytes);
    value = JSON.parse(text);
  } catch {
    const isCut = n > 1 && !hasEnd;
    throw refusal(n, isCut ? "the file ends within this line: it was cut" : "expected a JSON object in UTF-8");
  }
  if (!isObject(value)) throw refusal(n, "expected a JSON object");
  const { type, data, ...others } = value;
  if (typeof type !== "string") throw refusal(n, "type: expected a text");
  if (!isObject(data)) throw refusal(n, "data: expected an object");
  const [other] = Object.keys(others);
  if (other !== undefined) throw refusal(n, `${other.slice(0, 100)}: expected type and data alone`);
  return { line: { type, data }, text };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The lines of a file without line ends; the last line may lack its end. A line that is too long is refused before it is in memory. */
async function* linesOf(path: string): AsyncGenerator<{ readonly bytes: Buffer; readonly hasEnd: boolean }> {
  let parts: Buffer[] = [];
  let size = 0;
  let n = 1;
  for await (const chunk of createReadStream(path, { highWaterMark: 262_144 })) {
    const piece: Buffer = chunk;
    let from = 0;
    for (let at = piece.indexOf(NEW_LINE); at !== -1; at = piece.indexOf(NEW_LINE, from)) {
      const end = piece.subarray(from, at);
      yield { bytes: parts.length === 0 ? end : Buffer.concat([...parts, end]), hasEnd: true };
      [parts, size, from, n] = [[], 0, at + 1, n + 1];
    }
    if (from === piece.length) continue;
    parts.push(piece.subarray(from));
    size += piece.length - from;
    if (size > LINE_BYTES_MAX) throw refusal(n, `longer than ${LINE_BYTES_MAX / 2 ** 20} MB`);
  }
  if (size > 0) yield { bytes: Buffer.concat(parts), hasEnd: false };
}
