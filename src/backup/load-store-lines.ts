import { recordAction } from "../audit/record-action.ts";
import { checkLogs } from "../checkpoints/check-logs.ts";
import { canOpen } from "../credentials/secret-box.ts";
import { type Db, type ReadDb, sqlState, type Tx } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { readLedgerKey } from "../ledger/key/ledger-key-queries.ts";
import { replaceLedgerKey } from "../ledger/key/replace-ledger-key.ts";
import { checkLedger } from "../ledger/verify/check-ledger.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";
import { TIER_CHECKS } from "../tiers/tier-checks.ts";
import { SECRET_BYTES, secretText } from "../webhooks/subscriptions/subscription-secret.ts";
import { type CatalogObject, CONSTRAINTS, INDEXES, SETVAL, TYPED_COLUMNS } from "./catalog-queries.ts";
import { BackupError } from "./manifest.ts";
import { type LineBatch, type ReadStoreFile, readStoreLines } from "./read-store-lines.ts";
import { type CatalogColumn, insertSql, isWritten, LINE_TYPES, type LineType, writtenColumns } from "./store-lines.ts";

export interface LoadOrder {
  readonly path: string;
  /** What a first reading of the file found; the second one must find the same. */
  readonly checked: ReadStoreFile;
  readonly onProgress?: (lines: number) => void;
}

export interface LoadedStore {
  readonly customers: number;
  readonly allotments: number;
  /** Topics whose receivers must be given a new secret: the file has none. */
  readonly newSecrets: readonly { readonly topic: string; readonly secret: string }[];
}

type LoadDeps = { readonly db: Db } & Pick<Deps, "clock" | "random" | "secretBox">;

/** What a file may say here, and the schema that it must have. */
export interface StoreShape {
  readonly columns: ReadonlyMap<string, readonly CatalogColumn[]>;
  readonly schema: number;
}

const SCHEMA = "select max(number) as schema from migration";

/** Reads the shape of the database. */
export async function readStoreShape(db: Pick<Db, "query">): Promise<StoreShape> {
  const columns = await db.query<CatalogColumn & { table: string }>(TYPED_COLUMNS);
  const [row] = await db.query<{ schema: number }>(SCHEMA);
  return { columns: Map.groupBy(columns, ({ table }) => table), schema: row?.schema ?? 0 };
}

const USED = `select case
    when exists (select true from customer) then 'customers'
    when exists (select true from allotment) or exists (select true from balance) then 'points'
    when exists (select true from store_order) then 'orders'
    when exists (select true from receipt) then 'received events'
  end as what`;

/**
 * Refuses a store that is not new.
 * @throws BackupError saying what it has
 */
export async function assertUnused(queryable: Pick<Db, "query">): Promise<void> {
  const [row] = await queryable.query<{ what: string | null }>(USED);
  if (row === undefined || row.what === null) return;
  throw new BackupError(
    `The store of these settings already has ${row.what}: a whole store is imported into a new one alone. Nothing was imported.`,
  );
}

/**
 * Loads a file of the whole store into a store that is new: every row, in one transaction that also verifies the ledger, its chains and
 * checkpoints before it commits. What fails or is killed leaves the store as new as it was. `deps.db` connects as the owner of the tables.
 * @throws BackupError naming the line or what does not hold
 */
export async function loadStoreLines(deps: LoadDeps, order: LoadOrder): Promise<LoadedStore> {
  if (await deps.db.isDistributed())
    throw new BackupError("The tables are distributed over a Citus: import into one PostgreSQL. Nothing was imported.");
  const shape = await readStoreShape(deps.db);
  return deps.db.txWithReads(async (tx, reads) => {
    await lockTables(tx, shape);
    await assertUnused(tx);
    const newSecrets = await fill(tx, deps, shape, order);
    const { customers, allotments } = await verifyLoaded(tx, reads, deps, order);
    const { header, lines, sha256 } = order.checked;
    await recordAction(tx, deps, {
      action: "store.imported",
      subject: { kind: "store", id: "store" },
      after: { release: header.release, taken_at: header.taken_at, with_secrets: header.with_secrets, lines, sha256 },
    });
    return { customers, allotments, newSecrets };
  });
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;

/** All tables of the store, whatever is in them; `migration` says what they are. */
const namesOf = ({ columns }: StoreShape) => [...columns.keys()].filter((name) => name !== "migration");

async function lockTables(tx: Tx, shape: StoreShape): Promise<void> {
  await tx.execute("set local lock_timeout = '30s'");
  await tx.execute("set local statement_timeout = 0");
  await tx.execute("set local timezone = 'UTC'");
  await tx.execute("set local maintenance_work_mem = '256MB'");
  const names = namesOf(shape).map(quote).join(", ");
  await tx.execute(`lock table ${names} in access exclusive mode`);
}

/** Empties what a new store has and puts the lines in its place; no trigger runs: what the triggers write is among the lines. */
async function fill(tx: Tx, deps: LoadDeps, shape: StoreShape, order: LoadOrder): Promise<LoadedStore["newSecrets"]> {
  const { with_secrets: withSecrets, sequences } = order.checked.header;
  const names = namesOf(shape);
  for (const name of names) await tx.execute(`alter table ${quote(name)} disable trigger user`);
  const kept = new Set(LINE_TYPES.filter((type) => !isWritten(type, withSecrets)).map(({ table }) => table));
  const emptied = names.filter((name) => !kept.has(name)).map(quote);
  await tx.execute(`truncate table ${emptied.join(", ")}`);
  await tx.execute("set constraints all immediate");
  const objects = [...(await tx.query<CatalogObject>(INDEXES)), ...(await tx.query<CatalogObject>(CONSTRAINTS))];
  for (const { drop } of objects) await tx.execute(drop);
  const newSecrets = await insertLines(tx, deps, shape, order);
  for (const { create } of objects.toReversed()) await createAgain(tx, create);
  for (const name of names) await tx.execute(`alter table ${quote(name)} enable trigger user`);
  for (const [name, last] of Object.entries(sequences)) await setSequenceTo(tx, name, last);
  for (const name of names) await tx.execute(`analyze ${quote(name)}`);
  return newSecrets;
}

async function setSequenceTo(tx: Tx, name: string, last: string): Promise<void> {
  const isCalled = last !== "0";
  const done = await tx.query<{ setval: bigint | null }>(SETVAL, [name, isCalled ? last : "1", isCalled]);
  if (done[0]?.setval == null) throw new BackupError(`Line 1: data.sequences has ${name}, which is no sequence here.`);
}

async function insertLines(
  tx: Tx,
  deps: LoadDeps,
  { columns, schema }: StoreShape,
  { path, checked, onProgress }: LoadOrder,
): Promise<LoadedStore["newSecrets"]> {
  const withSecrets = checked.header.with_secrets;
  const newSecrets: { topic: string; secret: string }[] = [];
  const lines = readStoreLines({ path, columns, schema, ...(onProgress === undefined ? {} : { onProgress }) });
  for (;;) {
    const { done, value } = await lines.next();
    if (done === true) {
      if (value.sha256 === checked.sha256) return newSecrets;
      throw new BackupError("The file was changed while it was imported. Nothing was imported.");
    }
    const { lineType } = value;
    const isSealed = lineType.table === "subscription" && !withSecrets;
    const batch = isSealed ? withNewSecrets(deps, value, newSecrets) : value;
    const ofTable = columns.get(lineType.table) ?? [];
    await insertBatch(
      tx,
      insertSql(lineType, isSealed ? ofTable : writtenColumns(lineType, ofTable, withSecrets), quote),
      batch,
    );
  }
}

/** The secrets of deliveries are not in the file: each subscription gets a new one. */
function withNewSecrets(deps: LoadDeps, batch: LineBatch, made: { topic: string; secret: string }[]): LineBatch {
  const lines = batch.lines.map((text) => {
    const line: { type: string; data: Record<string, unknown> } = JSON.parse(text); // cast: the reader has checked it
    const secret = secretText(deps.random.bytes(SECRET_BYTES));
    made.push({ topic: String(line.data["topic"]), secret });
    const data = { ...line.data, secret_sealed: deps.secretBox.seal(secret).toString("base64") };
    return JSON.stringify({ type: line.type, data });
  });
  return { ...batch, lines };
}

/** Inserts a batch; where a line does not fit, finds out which one. */
async function insertBatch(tx: Tx, text: string, { lines, firstLine, lineType }: LineBatch): Promise<void> {
  try {
    await tx.savepoint(async (inner) => {
      const count = await inner.execute(text, [`[${lines.join(",")}]`]);
      if (count === lines.length) return;
      throw new BackupError(`Lines from ${firstLine} on: ${count} of ${lines.length} rows were inserted.`);
    });
  } catch (error) {
    if (sqlState(error) === undefined) throw error;
    for (const [i, line] of lines.entries()) await insertOne(tx, text, { line, n: firstLine + i, type: lineType });
    throw error;
  }
}

async function insertOne(
  tx: Tx,
  text: string,
  { line, n, type }: { readonly line: string; readonly n: number; readonly type: LineType },
): Promise<void> {
  try {
    await tx.execute(text, [`[${line}]`]);
  } catch (error) {
    if (sqlState(error) === undefined) throw error;
    throw new BackupError(
      `Line ${n.toLocaleString("en")}: the ${type.type} does not fit: ${reasonOf(error)}. Nothing was imported.`,
      { cause: error },
    );
  }
}

async function createAgain(tx: Tx, create: string): Promise<void> {
  try {
    await tx.execute(create);
  } catch (error) {
    if (sqlState(error)?.startsWith("23") !== true) throw error;
    throw new BackupError(`Lines of the file contradict one another: ${reasonOf(error)}. Nothing was imported.`, {
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  const { message = "", detail } = error as { message?: string; detail?: string }; // cast: an error of the database
  return detail === undefined ? message : `${message} (${detail.replace(/\.$/, "")})`;
}

/** Everything that `verify` checks, before anything counts. */
async function verifyLoaded(
  tx: Tx,
  reads: ReadDb,
  deps: LoadDeps,
  { checked }: LoadOrder,
): Promise<{ customers: number; allotments: number }> {
  const withSecrets = checked.header.with_secrets;
  if (withSecrets) await assertKey(tx, deps);
  else await replaceLedgerKey(tx, deps);
  const found: string[] = [];
  const db = { ...reads, reading: <T>(work: (one: ReadDb) => Promise<T>) => work(reads) };
  const key = await readLedgerKey(tx, deps);
  const result = await checkLedger(db, {
    key,
    more: [...ORDER_CHECKS, ...TIER_CHECKS],
    onFault: (fault) => {
      if (found.length === 0)
        found.push(`${fault.check}: customer ${fault.storefrontId ?? fault.customerUid}: ${fault.found}`);
    },
  });
  const logs = key === null ? [] : (await checkLogs({ db }, key)).faults;
  const [first] = [...found, ...logs];
  if (first === undefined) return { customers: result.customers, allotments: result.allotments };
  const more = result.faults + logs.length - 1;
  throw new BackupError(
    `The store of the file does not hold: ${first}${more > 0 ? `, and ${more} more` : ""}. The file was changed, or its store does not pass "pointkeeper verify". Nothing was imported.`,
  );
}

/** Sealed secrets can be used only with the key that sealed them. */
async function assertKey(tx: Tx, { secretBox }: LoadDeps): Promise<void> {
  const sealed = LINE_TYPES.flatMap(({ table, secretColumns = [] }) =>
    secretColumns.filter((name) => name.endsWith("_sealed")).map((name) => [table, name] as const),
  );
  for (const [table, column] of [...sealed, ["api_secret_key", "sealed"] as const]) {
    const name = quote(column);
    const [row] = await tx.query<{ value: Buffer }>(
      `select ${name} as value from ${quote(table)} where ${name} is not null limit 1`,
    );
    if (row === undefined || canOpen(secretBox, row.value)) continue;
    throw new BackupError(
      "The secret key is not the one that sealed the secrets of the file: set POINTKEEPER_SECRET_KEY, or secret.key, to that of the store that was exported, or export without --with-secrets. Nothing was imported.",
    );
  }
}
