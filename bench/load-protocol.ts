/** The input of the sending thread. Values are sorted by connection: a connection's requests are consecutive. */
export interface LoadOrder {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly authorization: string;
  readonly connections: number;
  readonly perConnection: number;
  /** One for each request. */
  readonly customerIds: readonly string[];
  readonly pointValues: Float64Array;
  /** The prefix of each Idempotency-Key; null: none is sent. */
  readonly keyPrefix: string | null;
  /** The total rate of all connections, in which case a duration begins when its request is due; null: as fast as responses come. */
  readonly perSecond: number | null;
}

/** The result of the requests. */
export interface LoadOutcome {
  /** One for each response, sorted. */
  readonly durationsMs: Float64Array;
  readonly elapsedMs: number;
  readonly acknowledged: number;
  /** The sum of the acknowledged values. */
  readonly points: number;
  readonly refused: number;
  /** The first response other than 200. */
  readonly firstRefusal: string | null;
}
