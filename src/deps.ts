import type { Config } from "./config.ts";
import type { SecretBox } from "./credentials/secret-box.ts";
import type { Db, ReadDb } from "./db/pool.ts";
import type { Reads } from "./db/reads.ts";
import type { IdempotencyClaim, StoredAnswer } from "./http/idempotency.ts";
import type { Instruments } from "./instruments/instruments.ts";
import type { Tracer } from "./instruments/tracer.ts";
import type { PostingQueue } from "./ledger/queued-posting.ts";
import type { WrittenBatch } from "./webhooks/written-batch.ts";

/** The business clock: everything a customer sees follows it. The sandbox may set it; nothing may read another. */
export interface Clock {
  now(): Temporal.Instant;
}

export interface Random {
  /** A UUIDv7, rising within this process. */
  uid(): string;
  bytes(length: number): Buffer;
  /** A number in [0, 1). */
  fraction(): number;
}

export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Tells the worker of this process that there may be work of a kind; another node finds it by polling. */
export interface Wake {
  /** With what was committed just now, where that is the reason. */
  deliveries(written?: readonly WrittenBatch[]): void;
  receipts(): void;
  exports(): void;
  mails(): void;
}

/** What verbs are given instead of globals. */
export interface Deps {
  readonly config: Config;
  readonly db: Db;
  /** Where lists, exports and figures are read, which may be a little old. What decides or writes uses `db`. */
  readonly reads: Reads;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  /** What this process counts; shown by /metrics. */
  readonly instruments: Instruments;
  /** Null: traces are off. */
  readonly tracer: Tracer | null;
  readonly wake: Wake;
  readonly secretBox: SecretBox;
  readonly postings: PostingQueue<IdempotencyClaim, StoredAnswer>;
}

/** What verbs are given that only read and that no decision follows: they may be given a replica. */
export interface ReadDeps extends Omit<Deps, "db" | "reads" | "postings"> {
  readonly db: ReadDb;
  /** Whether `db` is one moment of a replica, which may lack what the primary has. */
  readonly isReplica?: boolean;
}
