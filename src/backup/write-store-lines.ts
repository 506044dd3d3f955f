import { createHash, type Hash } from "node:crypto";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import project from "../../package.json" with { type: "json" };
import type { Deps } from "../deps.ts";
import { readProgram } from "../program/read-program.ts";
import { formatInstant } from "../time/store-time.ts";
import { TYPED_COLUMNS } from "./catalog-queries.ts";
import { openRowSource, prepareSession, type RowSource } from "./row-source.ts";
import { STORE_FORMAT, type StoreEnd, type StoreHeader } from "./store-header.ts";
import { type CatalogColumn, isWritten, LINE_TYPES, type LineType, linesSql, writtenColumns } from "./store-lines.ts";

export interface StoreLinesOrder {
  /** Whether encrypted secrets, credentials and password hashes are written too. */
  readonly withSecrets: boolean;
  /** Called while lines are written, with an estimate of the total number. */
  readonly onProgress?: (lines: number, total: number) => void;
}

/** The lines of a store while they are written, and their properties once they were read to the end. */
export interface StoreLines {
  readonly pieces: AsyncIterable<Buffer>;
  written(): StoreEnd;
}

const SNAPSHOT = "begin isolation level repeatable read read only";
/** No line contains the delimiter or the quote, because JSON escapes control characters. So lines are copied unchanged. */
const COPY_OPTIONS = "to stdout with (format csv, delimiter e'\\x02', quote e'\\x01')";

/**
 * Returns the whole store as JSON Lines (docs/export-format.md), in one snapshot, while the service may run. Memory is constant.
 * @throws BackupError for a store whose tables are distributed
 */
export function writeStoreLines(deps: Pick<Deps, "db" | "clock" | "log">, order: StoreLinesOrder): StoreLines {
  const state: { written: StoreEnd | null } = { written: null };
  async function* pieces(): AsyncGenerator<Buffer> {
    const client = await deps.db.connect();
    try {
      await prepareSession(client);
      await client.query(SNAPSHOT);
      const source = await openRowSource(client, (table) =>
        deps.log.warn({ table }, "a table that is not Pointkeeper's is not exported"),
      );
      const header = await readHeader(deps, client, source, order);
      const hash = createHash("sha256");
      yield hashed(hash, `${JSON.stringify({ type: "header", data: header })}\n`);
      const lines: Record<string, number> = {};
      yield* tableLines(client, order, hash, lines);
      state.written = { lines, sha256: hash.digest("hex") };
      yield Buffer.from(`${JSON.stringify({ type: "end", data: state.written })}\n`);
      await client.query("commit");
    } finally {
      await client.end().catch(() => {}); // a lost connection has ended
    }
  }
  return {
    pieces: pieces(),
    written: () => {
      if (state.written === null) throw new Error("the lines were not read to their end");
      return state.written;
    },
  };
}

function hashed(hash: Hash, text: string): Buffer {
  hash.update(text);
  return Buffer.from(text);
}

/** Reads the store's description for the first line, within the snapshot. */
async function readHeader(
  deps: Pick<Deps, "db" | "clock">,
  client: pg.Client,
  source: RowSource,
  { withSecrets }: Pick<StoreLinesOrder, "withSecrets">,
): Promise<StoreHeader> {
  const { store } = await readProgram(deps.db);
  const shop = await client.query<{ uid: string }>("select uid from shop");
  const last = ({ lastValue, isCalled }: RowSource["sequences"][number]) => (isCalled ? lastValue : "0");
  return {
    format: STORE_FORMAT,
    release: project.version,
    schema: source.migrations.at(-1)?.number ?? 0,
    taken_at: formatInstant(deps.clock.now()),
    with_secrets: withSecrets,
    store: { uid: shop.rows[0]?.uid ?? "", currency: store.currency, time_zone: store.timeZone },
    sequences: Object.fromEntries(source.sequences.map((sequence) => [sequence.name, last(sequence)])),
  };
}

const ESTIMATE = "select greatest(reltuples, 0)::float8 as rows from pg_class where oid = to_regclass(quote_ident($1))";

async function* tableLines(
  client: pg.Client,
  { withSecrets, onProgress }: StoreLinesOrder,
  hash: Hash,
  lines: Record<string, number>,
): AsyncGenerator<Buffer> {
  const columns = await client.query<CatalogColumn & { table: string }>(TYPED_COLUMNS);
  const columnsOf = Map.groupBy(columns.rows, ({ table }) => table);
  const types = LINE_TYPES.filter((lineType) => isWritten(lineType, withSecrets));
  let total = 0;
  for (const { table } of types) total += (await client.query<{ rows: number }>(ESTIMATE, [table])).rows[0]?.rows ?? 0;
  let done = 0;
  for (const lineType of types) {
    const written = writtenColumns(lineType, columnsOf.get(lineType.table) ?? [], withSecrets);
    let count = 0;
    for await (const piece of copyLines(client, lineType, written)) {
      hash.update(piece);
      count += newLines(piece);
      onProgress?.(done + count, Math.max(total, done + count));
      yield piece;
    }
    done += count;
    if (count > 0) lines[lineType.type] = count;
  }
}

function copyLines(client: pg.Client, lineType: LineType, columns: readonly CatalogColumn[]): AsyncIterable<Buffer> {
  const select = linesSql(lineType, columns, (name) => client.escapeIdentifier(name));
  return client.query(copyTo(`copy (${select}) ${COPY_OPTIONS}`));
}

const NEW_LINE = 0x0a;

function newLines(piece: Buffer): number {
  let count = 0;
  for (let at = piece.indexOf(NEW_LINE); at !== -1; at = piece.indexOf(NEW_LINE, at + 1)) count += 1;
  return count;
}
