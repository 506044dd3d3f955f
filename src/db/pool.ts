import pg from "pg";
import { actorSetting } from "../actor.ts";
import { cachedOnce, readShards, type Shards } from "./citus/read-shards.ts";
import { connectClient } from "./connect-client.ts";
import { type Connection, sessionConfig } from "./connection.ts";
import { type CopiedStatement, copyRows } from "./copy-rows.ts";
import { prepare, sendTogether } from "./driver.ts";
import type { Param } from "./encode-param.ts";
import { emptyEnding, openTx } from "./open-tx.ts";
import { fetchPieces, SNAPSHOT, type StreamOptions, streamRows } from "./stream-rows.ts";
import { typeParsers } from "./type-parsers.ts";

/** Anything that runs one statement: the pool (its own connection, autocommit) or a transaction. */
export interface Queryable {
  /**
   * Runs one statement as a named prepared statement and returns its rows. `timestamptz` is returned as `Temporal.Instant` (`infinity` as
   * null), `bigint` as bigint, `date` as `YYYY-MM-DD`, `bytea` as Buffer, `jsonb` parsed.
   */
  query<Row extends object = Record<string, unknown>>(text: string, params?: readonly Param[]): Promise<Row[]>;
  /** The same, returning the number of rows that the statement wrote. */
  execute(text: string, params?: readonly Param[]): Promise<number>;
  /** Whether the tables of points are distributed over the nodes of a Citus. */
  isDistributed(): Promise<boolean>;
}

declare const txBrand: unique symbol;

/**
 * An open transaction. Statements that are issued without awaiting are sent at once and run in their order (pipelining), each with its own
 * snapshot at READ COMMITTED.
 */
export interface Tx extends Queryable {
  readonly [txBrand]: true;
  /** On Citus the shard of each bucket; null: a plain PostgreSQL (docs/decisions/0025-distributed-by-bucket.md). */
  readonly shards: Shards | null;
  /**
   * Leaves statements that were sent to the end of the transaction: COMMIT is sent right after them, and if one of them fails, it rolls
   * back and the transaction fails with that error. Anything else that `sent` detects is detected too late, except on Citus, where COMMIT
   * waits for it.
   */
  atCommit(sent: Promise<unknown>): void;
  /** Runs `work` once this transaction has committed, never if it rolls back: to wake a worker or to clear a cache. */
  afterCommit(work: () => void): void;
  /**
   * Runs `work` so that it can be undone separately: if it throws, everything that it wrote, and what it left to `atCommit` and
   * `afterCommit`, is undone, the error is thrown again, and the transaction may continue. The transaction that `work` is given accepts no
   * statement once `work` has ended.
   */
  savepoint<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Runs `undo` if the enclosing savepoint is undone: for state of the transaction that is kept in memory. */
  whenUndone(undo: () => void): void;
  /** The same object throughout a transaction, including its savepoints: the key for state of the transaction that is kept in memory. */
  readonly key: object;
}

export interface Db extends Queryable {
  /** Runs `work` in one READ COMMITTED transaction: commits when it returns, rolls back when it throws. 40001 and 40P01 are retried. */
  tx<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** The same for work whose statements find all their rows by keys: plans are reused, and never scan a table for which there is an index. */
  txByKeys<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Like `tx`, run once, for work that also reads what it wrote as if it were a database: to verify it before it commits. */
  txWithReads<T>(work: (tx: Tx, reads: ReadDb) => Promise<T>): Promise<T>;
  /** Runs `work` in one read-only REPEATABLE READ transaction: all its statements see the same snapshot. */
  snapshot<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Streams the rows of one statement in pieces, in its own read-only transaction, with constant memory. */
  stream<Row extends object>(text: string, params: readonly Param[], options?: StreamOptions): AsyncIterable<Row[]>;
  /**
   * Passes the rows of one statement over whole tables to its `onRow`, in pieces, on its own connection, so that other statements may run
   * between two pieces: a fraction of the cost of `stream`. Yields the number of rows.
   */
  copy(statement: CopiedStatement): AsyncIterable<number>;
  /** Like `snapshot`, for work that takes its snapshots and streams from the given database: everything it reads is from one moment. */
  reading<T>(work: (db: ReadDb) => Promise<T>): Promise<T>;
  /** Returns the present connections of the pool. */
  connections(): PoolConnections;
  /** Opens a connection outside the pool, with the driver's own types, for COPY and replication; the caller ends it. */
  connect(options?: pg.ClientConfig): Promise<pg.Client>;
  close(): Promise<void>;
}

export interface PoolConnections {
  readonly open: number;
  readonly idle: number;
  /** Callers that wait for a connection. */
  readonly waiting: number;
  readonly max: number;
}

/** The dependency of work that only reads: a database, or a snapshot of it or of its replica. */
export type ReadDb = Omit<Db, "tx" | "txByKeys" | "txWithReads" | "reading" | "connections" | "connect" | "close">;

export interface PoolOptions {
  connection: Connection;
  connectionsMax?: number;
  /** The role of `connect`, if it is not that of the pool's connections: backups read more than the service may. */
  ownerConnection?: pg.ClientConfig | undefined;
  /** How long to wait for a connection; 5 seconds if absent. */
  connectMs?: number;
  /** A connection on which a statement takes longer is dropped, except streams; absent: never. */
  statementMs?: number;
  onError?: (error: Error) => void;
}

const CONNECT_MS = 5_000;
const CONNECTIONS_MAX = 12;
const RETRIES_MAX = 5;
// Planning a statement costs several times its run on a few rows, and PostgreSQL plans a statement over short arrays again each time. A
// plan that is kept must not come from the day on which a table was small: it reads by keys.
const BEGIN_BY_KEYS = "begin; set local plan_cache_mode = force_generic_plan; set local enable_seqscan = off";
const SET_ACTOR = "select set_config('pointkeeper.actor', $1, true)";

type Direct = Omit<Queryable, "isDistributed">;

function queryable(client: pg.Pool | pg.PoolClient, isNamed: boolean): Direct {
  return {
    async query<Row extends object>(text: string, params: readonly Param[] = []): Promise<Row[]> {
      const result = await client.query(prepare(text, params, isNamed));
      return result.rows as Row[]; // cast: the select list is the caller's own text
    },
    async execute(text: string, params: readonly Param[] = []): Promise<number> {
      const result = await client.query(prepare(text, params, isNamed));
      return result.rowCount ?? 0;
    },
  };
}

/** Whether the transaction may succeed when it is run again: after a deadlock or a serialisation failure. */
export function isRetryable(error: unknown): boolean {
  const code = sqlState(error);
  return code === "40001" || code === "40P01";
}

/** Whether a unique index refused a row. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === "23505";
}

/** The SQLSTATE of a write where writes are not allowed: on a standby, or while a provider protects a full disk. */
export const READ_ONLY_STATE = "25006";
/** The state of a statement for which the role lacks a privilege. */
export const NO_PRIVILEGE_STATE = "42501";
/** The state of a statement that was cancelled, as one is that exceeds its time limit. */
export const TIMEOUT_STATE = "57014";

/** Returns the SQLSTATE of a database error; undefined for any other error. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/** Opens a pool of pipelined connections. A connection that breaks inside a transaction is dropped, never reused. */
export function openPool(options: PoolOptions): Db {
  const { preparedStatements: isNamed = true, statementTimeoutMs } = options.connection;
  const max = options.connectionsMax ?? CONNECTIONS_MAX;
  const pool = new pg.Pool({
    ...sessionConfig(options.connection),
    max,
    pipeline: true,
    types: typeParsers,
    connectionTimeoutMillis: options.connectMs ?? CONNECT_MS,
    ...(options.statementMs === undefined ? {} : { query_timeout: options.statementMs }),
  } as pg.PoolConfig); // cast: @types/pg does not know `pipeline` yet
  // The pool stops listening before its caller begins to: an error together with the connection's first answer would be uncaught.
  pool.on("connect", (client) => client.on("error", () => {}));
  let isClosing = false;
  pool.on("error", (error) => {
    if (!isClosing) options.onError?.(error);
  });
  const direct = queryable(pool, isNamed);
  const shards = cachedOnce(() => readShards(direct));
  const connectOwn = () => connectClient(sessionConfig(options.connection));
  const session: Session = { pool, connectOwn, shards, isNamed, isTimed: statementTimeoutMs !== undefined };
  return {
    query: direct.query,
    execute(text, params) {
      if (actorSetting() === null) return direct.execute(text, params);
      return retried(() => transact(session, "begin", (tx) => tx.execute(text, params)));
    },
    tx: (work) => retried(() => transact(session, "begin", work)),
    txByKeys: (work) => retried(() => transact(session, BEGIN_BY_KEYS, work)),
    txWithReads: (work) =>
      transact(session, "begin", (tx, client) => work(tx, { ...readDbOf(tx, client, session), copy: refuseCopy })),
    snapshot: (work) => transact(session, SNAPSHOT, work),
    reading: (work) => transact(session, SNAPSHOT, (tx, client) => work(readDbOf(tx, client, session))),
    stream: (text, params, options) => streamRows(pool, { text, params, isTimed: session.isTimed, ...options }),
    copy: (statement) => copyRows({ connect: connectOwn, moment: null }, statement),
    isDistributed: async () => (await shards()) !== null,
    connections: () => ({ open: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount, max }),
    connect: (more) => connectClient({ ...(options.ownerConnection ?? options.connection), ...more }),
    close: () => {
      isClosing = true;
      return pool.end();
    },
  };
}

async function retried<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (attempt >= RETRIES_MAX || !isRetryable(error)) throw error;
    }
  }
}

interface Session {
  readonly pool: pg.Pool;
  /** Opens a connection like those of the pool, outside it. */
  connectOwn(): Promise<pg.Client>;
  readonly shards: () => Promise<Shards | null> | Shards | null;
  /** Whether statements are called by name. */
  readonly isNamed: boolean;
  /** Whether statements have a time limit. */
  readonly isTimed: boolean;
}

async function transact<T>(
  { pool, shards, isNamed }: Session,
  begin: string,
  work: (tx: Tx, client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const known = await shards();
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on("error", onError);
  const ending = emptyEnding();
  sendTogether(client);
  const { tx, end, causeOf } = openTx(client, { ending, shards: known, statements: queryable(client, isNamed) });
  try {
    // Citus cannot plan a statement without the values of its parameters
    const begun = client.query(known !== null && begin === BEGIN_BY_KEYS ? "begin" : begin);
    begun.catch(() => {}); // seen below: work's own statements fail with it
    const named = nameActor(client, isNamed);
    named?.catch(() => {}); // seen below too
    const answer = await work(tx, client);
    if (known !== null) await Promise.all(ending.sent);
    end();
    const committed = client.query("commit");
    committed.catch(() => {}); // seen below, unless a statement before it failed
    const [{ command }] = await Promise.all([committed, begun, named, ...ending.sent]);
    // a COMMIT after a failed statement rolls back without an error of its own
    if (command !== "COMMIT") throw new Error("the transaction was rolled back: a statement of it had failed");
    for (const run of ending.after) run();
    return answer;
  } catch (thrown) {
    end();
    const error = causeOf(thrown);
    if (sqlState(error) === READ_ONLY_STATE) broken = new Error("the session takes no writes"); // and may never again
    await client.query("rollback").catch((rollbackError: Error) => {
      broken ??= rollbackError;
    });
    throw error;
  } finally {
    client.off("error", onError);
    client.release(broken);
  }
}

/** Passes the actor of the transaction to the audit triggers; sends nothing for the service itself. */
function nameActor(client: pg.PoolClient, isNamed: boolean): Promise<unknown> | undefined {
  const setting = actorSetting();
  return setting === null ? undefined : client.query(prepare(SET_ACTOR, [setting], isNamed));
}

/** Refuses a copy: another connection cannot see what an uncommitted transaction wrote. */
function refuseCopy(): never {
  throw new Error("what this transaction wrote can be streamed, not copied");
}

// The transaction is idle while the rows are read, for as long as their reader takes.
const EXPORT_MOMENT =
  "select pg_export_snapshot() as moment, set_config('idle_in_transaction_session_timeout', '0', true) as timeout";

/** Returns rows of the snapshot of an open transaction, over another connection. */
async function* copyMoment(tx: Tx, { connectOwn }: Session, statement: CopiedStatement): AsyncGenerator<number> {
  const [exported] = await tx.query<{ moment: string }>(EXPORT_MOMENT);
  yield* copyRows({ connect: connectOwn, moment: exported?.moment ?? null }, statement);
}

/** Returns a read-only transaction as a database, from which its work may stream in parallel to other statements. */
function readDbOf(tx: Tx, client: pg.PoolClient, session: Session): ReadDb {
  return {
    query: tx.query,
    execute: tx.execute,
    isDistributed: tx.isDistributed,
    snapshot: (work) => work(tx),
    stream: (text, params, options) => fetchPieces(client, { text, params, isTimed: session.isTimed, ...options }),
    copy: (statement) => copyMoment(tx, session, statement),
  };
}
