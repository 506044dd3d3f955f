import type { Config } from "./config.ts";
import type { SecretBox } from "./credentials/secret-box.ts";
import type { Db, ReadDb } from "./db/pool.ts";
import type { Reads } from "./db/reads.ts";
import type { IdempotencyClaim, StoredAnswer } from "./http/idempotency/idempotency.ts";
import type { Instruments } from "./instruments/instruments.ts";
import type { Tracer } from "./instruments/tracer.ts";
import type { PostingQueue } from "./ledger/queue/queued-posting.ts";
import type { WrittenBatch } from "./webhooks/delivery/written-batch.ts";

/** The business clock, which everything that a customer sees follows. The sandbox may set it; code must not use another clock for this. */
export interface Clock {
  now(): Temporal.Instant;
}

export interface Random {
  /** Returns a UUIDv7, rising within this process. */
  uid(): string;
  bytes(length: number): Buffer;
  /** Returns a number in [0, 1). */
  fraction(): number;
}

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Informs the worker of this process that there may be work of a kind; other nodes find it by polling. */
export interface Wake {
  /** With the batches that were just committed, if these are the reason. */
  deliveries(written?: readonly WrittenBatch[]): void;
  receipts(): void;
  exports(): void;
  mails(): void;
}

/** The dependencies of verbs, instead of globals. */
export interface Deps {
  readonly config: Config;
  readonly db: Db;
  /** Where lists, exports and figures are read, which may be a little old. Decisions and writes use `db`. */
  readonly reads: Reads;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** The counters of this process, shown by /metrics. */
  readonly instruments: Instruments;
  /** null: traces are off. */
  readonly tracer: Tracer | null;
  readonly wake: Wake;
  readonly secretBox: SecretBox;
  readonly postings: PostingQueue<IdempotencyClaim, StoredAnswer>;
}

/** The dependencies of verbs that only read and on whose result no decision depends: `db` may be a replica. */
export interface ReadDeps extends Omit<Deps, "db" | "reads" | "postings"> {
  readonly db: ReadDb;
  /** Whether `db` is a snapshot of a replica, which may lack data of the primary. */
  readonly isReplica?: boolean;
}
