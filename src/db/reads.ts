import type { Db, ReadDb } from "./pool.ts";

/** The database on which reading work runs. */
export interface ReadSource {
  /** For a replica: one snapshot, which never changes while the work runs. */
  readonly db: ReadDb;
  /** The maximum age of the data in milliseconds; null: the primary is read. */
  readonly ageMs: number | null;
}

/** How new the data has to be; absent: as new as the setting requires. */
export interface ReadNeed {
  /** Everything that was committed before this moment (`performance.now()`) must be visible. */
  readonly sinceMs?: number;
  /** How long to wait for a replica that has not caught up yet. */
  readonly waitMs?: number;
}

/** The present state of a replica. */
export interface ReplicaState {
  readonly isUsed: boolean;
  /** Why it is not used. */
  readonly reason: string | null;
  /** How far it was behind when it was last checked; null: unknown. */
  readonly ageMs: number | null;
}

/** Chooses between the primary and its replica for work that only reads and on whose result no decision depends. */
export interface Reads {
  /**
   * Runs `work` on the replica if that is new enough, otherwise on the primary. If anything fails on the replica, including a refusal, it
   * is run once more on the primary: data that the replica does not have yet is no reason to refuse.
   */
  run<T>(work: (source: ReadSource) => Promise<T>, need?: ReadNeed): Promise<T>;
  /** null: there is no replica. */
  replica(): ReplicaState | null;
}

/** Returns the reads of a service without a replica. */
export function primaryReads(db: Db): Reads {
  return { run: (work) => runOnPrimary(db, work), replica: () => null };
}

export function runOnPrimary<T>(db: Db, work: (source: ReadSource) => Promise<T>): Promise<T> {
  return work({ db, ageMs: null });
}
