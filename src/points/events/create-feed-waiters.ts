import type { Deps } from "../../deps.ts";
import { readSettledMark } from "../../ledger/read-settled-mark.ts";
import { positionOf } from "../allotments/position-cursor.ts";
import { FIRST_POSITION, LAST_UID, type Position, selectBetween } from "../allotments/queries.ts";

/** The requests of this node that wait for the next event. They hold no database connection. */
export interface FeedWaiters {
  /** Takes one of the places; returns a function that releases it, or null if all places of the node or of this credential are taken. */
  enter(credentialUid: string): (() => void) | null;
  /** Waits for an event after a cursor of `listEvents`. */
  wait(cursor: string, ms: number, signal: AbortSignal): Promise<WaitEnd>;
  /** Ends every wait, and makes later ones end at once. */
  close(): void;
}

/** What a request that follows the feed needs: the waiters, and the signal for when its client has gone. */
export interface Following {
  readonly waiters: FeedWaiters;
  readonly signal: AbortSignal;
}

/** `news`: an allotment after the position is shown. `over`: the time is over. `ended`: the signal was given, or the node stops. */
export type WaitEnd = "news" | "over" | "ended";

interface Waiter {
  readonly after: Position;
  end(how: WaitEnd): void;
}

const PLACES = 200;
const PLACES_PER_CREDENTIAL = 20;
const POLL_MS = 250;

/** Creates the waiters. One query every 250 ms serves all of them; there is none while nobody waits. */
export function createFeedWaiters(deps: Pick<Deps, "db" | "clock" | "log">): FeedWaiters {
  const taken = new Map<string, number>();
  const waiters = new Set<Waiter>();
  let places = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function poll(): Promise<void> {
    try {
      const newest = await readNewest(deps);
      for (const waiter of waiters) if (newest !== null && isAfter(newest, waiter.after)) waiter.end("news");
    } catch (error) {
      deps.log.debug({ error }, "the change feed could not look for events"); // who waits asks by itself in the end
    }
    timer = undefined;
    schedule();
  }

  function schedule(): void {
    if (timer === undefined && waiters.size > 0) timer = setTimeout(poll, POLL_MS);
  }

  return {
    enter(credentialUid) {
      const own = taken.get(credentialUid) ?? 0;
      if (places >= PLACES || own >= PLACES_PER_CREDENTIAL) return null;
      places++;
      taken.set(credentialUid, own + 1);
      let hasLeft = false;
      return () => {
        if (hasLeft) return;
        hasLeft = true;
        places--;
        const left = (taken.get(credentialUid) ?? 1) - 1;
        if (left === 0) taken.delete(credentialUid);
        else taken.set(credentialUid, left);
      };
    },
    wait(cursor, ms, signal) {
      const after = positionOf(cursor);
      if (after === undefined) throw new Error("no cursor to wait behind");
      if (isClosed || signal.aborted) return Promise.resolve("ended");
      return new Promise((resolve) => {
        const end = (how: WaitEnd) => {
          clearTimeout(timeout);
          signal.removeEventListener("abort", giveUp);
          waiters.delete(waiter);
          resolve(how);
        };
        const giveUp = () => end("ended");
        const waiter = { after, end };
        const timeout = setTimeout(() => end("over"), ms);
        signal.addEventListener("abort", giveUp);
        waiters.add(waiter);
        schedule();
      });
    },
    close() {
      isClosed = true;
      for (const waiter of waiters) waiter.end("ended");
    },
  };
}

/** Returns the position of the last allotment that is shown; null: there is none. */
async function readNewest(deps: Pick<Deps, "db" | "clock">): Promise<Position | null> {
  const { settledAt } = await readSettledMark(deps);
  if (settledAt === null) return null;
  const before = { allottedAt: settledAt, uid: LAST_UID };
  const [newest] = await selectBetween(deps.db, { type: null, after: FIRST_POSITION, before }, "desc", 1);
  return newest ?? null;
}

function isAfter(position: Position, other: Position): boolean {
  const order = Temporal.Instant.compare(position.allottedAt, other.allottedAt);
  return order > 0 || (order === 0 && position.uid > other.uid);
}
