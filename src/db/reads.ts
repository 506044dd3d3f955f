import type { Db, ReadDb } from "./pool.ts";

/** Where work that only reads is run. */
export interface ReadSource {
  /** Of a replica: one moment, which never changes while the work runs. */
  readonly db: ReadDb;
  /** How old at most what is read may be, in milliseconds; null: the primary was asked. */
  readonly ageMs: number | null;
}

/** How new what is read has to be; absent: as new as the setting says. */
export interface ReadNeed {
  /** What was committed before this moment (`performance.now()`) must be there. */
  readonly sinceMs?: number;
  /** How long to wait for a replica that has not come so far. */
  readonly waitMs?: number;
}

/** What a replica is used for at this moment. */
export interface ReplicaState {
  readonly isUsed: boolean;
  /** Why it is not used. */
  readonly reason: string | null;
  /** How far it was behind at the last look; null: not known. */
  readonly ageMs: number | null;
}

/** Chooses between the primary and its replica for work that only reads and that no decision follows. */
export interface Reads {
  /**
   * Runs `work` on the replica where that is new enough, else on the primary. Whatever fails on the replica, a refusal too, is run once more
   * on the primary: what the replica does not have yet is no reason to refuse.
   */
  run<T>(work: (source: ReadSource) => Promise<T>, need?: ReadNeed): Promise<T>;
  /** Null: there is no replica. */
  replica(): ReplicaState | null;
}

/** Reads of a service without a replica. */
export function primaryReads(db: Db): Reads {
  return { run: (work) => runOnPrimary(db, work), replica: () => null };
}

/** Runs reading work on the primary. */
export function runOnPrimary<T>(db: Db, work: (source: ReadSource) => Promise<T>): Promise<T> {
  return work({ db, ageMs: null });
}
