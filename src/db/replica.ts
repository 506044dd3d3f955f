import { setTimeout as delay } from "node:timers/promises";
import type { Log } from "../deps.ts";
import { isDatabaseAway } from "./database-away.ts";
import { type Db, type Queryable, READ_ONLY_STATE, sqlState, TIMEOUT_STATE } from "./pool.ts";
import { type ReadNeed, type ReadSource, type Reads, type ReplicaState, runOnPrimary } from "./reads.ts";

export interface ReplicaOptions {
  readonly primary: Db;
  /** A pool whose statements have a time limit, so that a server that does not answer does not block callers. */
  readonly replica: Db;
  /** The uid of this process. */
  readonly nodeUid: string;
  readonly ageMaxMs: number;
  readonly log: Log;
}

export interface Replica extends Reads {
  /** Ends the heartbeats and closes the pool of the replica. */
  close(): Promise<void>;
}

const BEAT_MS = 1_000;
/** A replica that was found unfit is checked again after this time. */
const REST_MS = 5_000;
/** How quickly a replica has to report its position. */
const ANSWER_MS = 2_000;
const LATE = "it does not answer";
const STARTING = "it was not seen yet";
const WAIT_STEP_MS = 100;

const BEAT = `insert into node_beat (node_uid, sent_ms, beat_at)
values ($1, $2, now())
on conflict (node_uid) do update
set sent_ms = excluded.sent_ms,
  beat_at = excluded.beat_at`;

const FORGET_GONE = "delete from node_beat where beat_at < now() - interval '1 day'";

const SEEN = `select pg_is_in_recovery() as "isStandby",
  (select sent_ms from node_beat where node_uid = $1) as "sentMs"`;

/** Why a replica is not used for a read; only logged. */
class UnfitError extends Error {
  override readonly name = "UnfitError";
  /** Too old only for one reader who required newer data. */
  readonly isForOne: boolean;

  constructor(reason: string, isForOne = false, cause?: unknown) {
    super(reason, { cause });
    this.isForOne = isForOne;
  }
}

/**
 * Reads of a service with a replica. Each second the node writes the time of its own clock into the primary. A snapshot of the replica that
 * contains this row has everything that was committed before, and so proves its own age: through any pooler, on any of several standbys,
 * and without any clock except this process's. A server that does not follow this primary never shows the row.
 *
 * A replica that is unavailable, too far behind or promoted is not used for 5 seconds and until it is fit again, and the log says so once.
 */
export function createReplica({ primary, replica, nodeUid, ageMaxMs, log }: ReplicaOptions): Replica {
  const fitness = createFitness(log, ageMaxMs);
  const closing = new AbortController();

  async function onReplica<T>(work: (source: ReadSource) => Promise<T>, need: ReadNeed): Promise<T> {
    const first = answerInTime();
    let hasBegun = false;
    const answer = replica.reading(async (db) => {
      const sinceMs = await readSince(db, nodeUid);
      const ageMs = performance.now() - sinceMs;
      if (first.isLate()) throw new UnfitError(LATE);
      first.came();
      fitness.saw(ageMs);
      if (ageMs > ageMaxMs) throw new UnfitError(`it is ${Math.round(ageMs / 1_000)} seconds behind`);
      if (sinceMs < (need.sinceMs ?? Number.NEGATIVE_INFINITY)) throw new UnfitError("older than asked for", true);
      hasBegun = true;
      return work({ db, ageMs });
    });
    try {
      return await Promise.race([answer, first.late]);
    } catch (error) {
      if (!hasBegun) fitness.failed(error);
      else if (sqlState(error) === READ_ONLY_STATE) log.error({ error }, "work on the replica tried to write");
      throw error;
    } finally {
      first.came();
    }
  }

  async function run<T>(work: (source: ReadSource) => Promise<T>, need: ReadNeed = {}): Promise<T> {
    const waitUntilMs = performance.now() + (need.waitMs ?? 0);
    while (fitness.state().isUsed) {
      try {
        return await onReplica(work, need);
      } catch (error) {
        if (sqlState(error) === TIMEOUT_STATE) throw error; // it would take as long on the primary
        const mayWait = error instanceof UnfitError && error.isForOne && performance.now() < waitUntilMs;
        if (!mayWait) break;
        await delay(WAIT_STEP_MS);
      }
    }
    return runOnPrimary(primary, work);
  }

  async function beat(): Promise<void> {
    await primary.execute(BEAT, [nodeUid, performance.now()]);
    if (!fitness.isDue()) return;
    const isFit = await onReplica(async () => true, {}).catch(() => false);
    if (isFit) fitness.proved();
  }

  async function beatOn(): Promise<void> {
    await primary.execute(FORGET_GONE).catch(() => 0); // another node's start does it
    while (!closing.signal.aborted) {
      await beat().catch((error: unknown) => log.debug({ error }, "the beat of this node was not written"));
      await delay(BEAT_MS, undefined, { signal: closing.signal, ref: false }).catch(() => {}); // closing ends the pause
    }
  }

  const beating = beatOn();
  return {
    run,
    replica: fitness.state,
    async close() {
      closing.abort();
      await beating;
      await replica.close();
    },
  };
}

/** Reads the time, by this process's clock, since which changes may be missing in a snapshot. */
async function readSince(db: Queryable, nodeUid: string): Promise<number> {
  const [seen] = await db.query<{ isStandby: boolean; sentMs: number | null }>(SEEN, [nodeUid]).catch((error) => {
    throw isDatabaseAway(error) ? error : new UnfitError("it does not show the beats of this node", false, error);
  });
  if (seen?.isStandby !== true) throw new UnfitError("it is no standby");
  if (seen.sentMs === null) throw new UnfitError("it does not show the beats of this node");
  return seen.sentMs;
}

/** Limits the wait for a server that does not answer; a late answer is ignored. */
function answerInTime() {
  const { promise: late, reject } = Promise.withResolvers<never>();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    reject(new UnfitError(LATE));
  }, ANSWER_MS);
  return { late, isLate: () => isLate, came: () => clearTimeout(timer) };
}

/** Tracks whether the replica is used, by its last known state. */
function createFitness(log: Log, ageMaxMs: number) {
  const startedMs = performance.now();
  let state: ReplicaState = { isUsed: false, reason: STARTING, ageMs: null };
  let lookFromMs = 0;

  function rest(reason: string, error: unknown): void {
    const nowMs = performance.now();
    if (state.reason === STARTING && nowMs - startedMs < ageMaxMs) return; // its first beat is on its way
    if (state.isUsed || state.reason === STARTING)
      log.warn({ reason, error }, "the replica is not used: reads go to the primary");
    state = { ...state, isUsed: false, reason };
    lookFromMs = nowMs + REST_MS;
  }

  return {
    state: () => state,
    isDue: () => performance.now() >= lookFromMs,
    saw(ageMs: number): void {
      state = { ...state, ageMs };
    },
    proved(): void {
      if (!state.isUsed) log.info({ ageMs: state.ageMs }, "the replica is used");
      state = { ...state, isUsed: true, reason: null };
    },
    /** Records an error from before the work began. What ends running work, such as a conflict with the recovery, is noticed at the next check. */
    failed(error: unknown): void {
      if (!(error instanceof UnfitError)) rest("it cannot be reached", error);
      else if (!error.isForOne) rest(error.message, error.cause);
    },
  };
}
