/** What the thread that sends is told. Everything is laid out connection by connection: a connection's requests follow each other. */
export interface LoadOrder {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly authorization: string;
  readonly connections: number;
  readonly perConnection: number;
  /** Of each request. */
  readonly customerIds: readonly string[];
  readonly pointValues: Float64Array;
  /** The beginning of each Idempotency-Key; null: none is sent. */
  readonly keyPrefix: string | null;
  /** All connections together send so many a second, and a duration counts from when its request was due; null: as fast as answers come. */
  readonly perSecond: number | null;
}

/** What came of it. */
export interface LoadOutcome {
  /** Of each answer, sorted. */
  readonly durationsMs: Float64Array;
  readonly elapsedMs: number;
  readonly acknowledged: number;
  /** The sum of the acknowledged values. */
  readonly points: number;
  readonly refused: number;
  /** The first answer that was no 200. */
  readonly firstRefusal: string | null;
}
