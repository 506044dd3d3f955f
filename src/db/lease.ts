import type { Queryable } from "./pool.ts";

// A lease is the right of one process to work on a row, until `lease_until` by the database's machine clock: it is about crashes, not about the
// store's time. `lease_uid` is new with each claim, so that a process that lost a lease cannot write anything more.

/** A count of attempts goes no higher: the column may be a smallint. */
const ATTEMPTS_COUNTED = 1_000;
const RENEWALS_A_LEASE = 4;

/** SQL: the machine's time in this many seconds, given as a number or a parameter such as `$3`. */
export function leaseEnd(seconds: number | `$${number}`): string {
  return `clock_timestamp() + make_interval(secs => ${seconds})`;
}

/**
 * SQL: whether the lease of a row has ended; null if there never was one. A lease that ends later than in `longestS` seconds, which none of its kind
 * does, is of a clock that was ahead and has been corrected since (decision 63). Absent where another statement looks for those.
 */
export function isLeaseOver(alias: string, longestS?: number): string {
  const isOver = `${alias}.lease_until < clock_timestamp()`;
  return longestS === undefined ? isOver : `(${isOver} or ${alias}.lease_until > ${leaseEnd(longestS)})`;
}

/** SQL: the seconds until the lease of a row ends unless it is renewed, rounded up. */
export function leaseSecondsLeft(alias: string): string {
  return `ceil(extract(epoch from ${alias}.lease_until - clock_timestamp()))::integer`;
}

/** SQL of an update: takes a row for this many seconds. An attempt is counted when it begins, because a process that dies of it cannot count it. */
export function leaseAttempt(alias: string, seconds: number): string {
  return `lease_until = ${leaseEnd(seconds)},
  attempts = least(${alias}.attempts + 1, ${ATTEMPTS_COUNTED})`;
}

/** Rows that are leased one by one, described by the folder that owns their table. */
export interface LeasedRows {
  /** `update <table>`: the owner names the table that is written. */
  readonly update: string;
  /** The column of the primary key. */
  readonly key: string;
  /** Selects the keys of the available rows, in their order. */
  readonly free: string;
  /** What a claim returns of its row, `l`. */
  readonly columns: string;
  readonly seconds: number;
}

/** A row by its key, and the lease under which it is processed. */
export interface LeasedRow {
  readonly uid: string;
  readonly leaseUid: string;
}

/** How a row is released for a later attempt. */
export interface LeaseRelease {
  /** No other process takes it for this number of seconds. */
  readonly waitS: number;
  /** Whether the attempt that ends is counted. */
  readonly isCounted: boolean;
}

/** The statements of leased rows. All except `claim` do nothing once the lease is lost. */
export interface Leases<Row> {
  /** Takes the first available row that no other process is taking at the same time; undefined: there is none. */
  claim(queryable: Queryable, leaseUid: string): Promise<Row | undefined>;
  /** Returns whether the lease was still held. */
  renew(queryable: Queryable, row: LeasedRow): Promise<boolean>;
  release(queryable: Queryable, row: LeasedRow, release: LeaseRelease): Promise<void>;
  /** Keeps the row under its lease and makes it available to others after this many seconds. */
  postpone(queryable: Queryable, row: LeasedRow, waitS: number): Promise<void>;
  /** Records progress: the next failure counts as the first one again. */
  noteProgress(queryable: Queryable, row: LeasedRow): Promise<void>;
}

/** Builds the statements of leased rows from their owner's description. */
export function leasesOf<Row extends object>({ update, key, free, columns, seconds }: LeasedRows): Leases<Row> {
  const held = `where ${key} = $1
  and lease_uid = $2`;
  const claim = `${update} l
set lease_uid = $1,
  ${leaseAttempt("l", seconds)}
where l.${key} = (
  ${free}
  limit 1
  for no key update skip locked)
returning ${columns}`;
  const renew = `${update}
set lease_until = ${leaseEnd(seconds)}
${held}`;
  const release = `${update}
set lease_uid = null,
  lease_until = ${leaseEnd("$3")},
  attempts = greatest(attempts - $4, 0)
${held}`;
  const postpone = `${update}
set lease_until = ${leaseEnd("$3")}
${held}`;
  const progress = `${update}
set attempts = 0
${held}
  and attempts > 0`;
  return {
    claim: async (queryable, leaseUid) => (await queryable.query<Row>(claim, [leaseUid]))[0],
    renew: async (queryable, { uid, leaseUid }) => (await queryable.execute(renew, [uid, leaseUid])) === 1,
    async release(queryable, { uid, leaseUid }, { waitS, isCounted }) {
      await queryable.execute(release, [uid, leaseUid, waitS, isCounted ? 0 : 1]);
    },
    async postpone(queryable, { uid, leaseUid }, waitS) {
      await queryable.execute(postpone, [uid, leaseUid, waitS]);
    },
    async noteProgress(queryable, { uid, leaseUid }) {
      await queryable.execute(progress, [uid, leaseUid]);
    },
  };
}

/** A lease that is renewed while its work continues. */
export interface LeaseRenewal {
  readonly leaseMs: number;
  /** Returns whether the lease was still held. */
  renew(): Promise<boolean>;
  /** Called when a renewal failed: the lease may still be held, and the next renewal tries again. */
  onError(error: unknown): void;
  /** Ends the work from outside. */
  readonly signal?: AbortSignal | undefined;
}

/** Runs work and renews its lease meanwhile. The work's signal aborts when the lease is lost, or with the signal from outside. */
export async function whileLeased<T>(
  { leaseMs, renew, onError, signal }: LeaseRenewal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  const renewal = setInterval(() => {
    renew().then((isHeld) => {
      if (!isHeld) lost.abort();
    }, onError);
  }, leaseMs / RENEWALS_A_LEASE);
  try {
    return await work(signal === undefined ? lost.signal : AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(renewal);
  }
}
