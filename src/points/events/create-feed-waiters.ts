import type { Deps } from "../../deps.ts";
import { readSettledMark } from "../../ledger/settled-mark/read-settled-mark.ts";
import { selectFedTierChanges } from "../../tiers/tier-queries.ts";
import { positionOf } from "../allotments/position-cursor.ts";
import { FIRST_POSITION, LAST_UID, type Position, selectBetween } from "../allotments/queries.ts";
import { isAfter } from "./feed-order.ts";

/** The requests of this node that wait for the next event. They hold no database connection. */
export interface FeedWaiters {
  /** Takes one of the places; returns a function that releases it, or null if all places of the node or of this credential are taken. */
  enter(credentialUid: string): (() => void) | null;
  /** Waits for an event after a cursor of `listEvents`; for a change of a tier only if these are asked for. */
  wait(cursor: string, how: WaitOrder): Promise<WaitEnd>;
  /** Ends every wait, and makes later ones end at once. */
  close(): void;
}

/** How long is waited, and for what. */
export interface WaitOrder {
  readonly ms: number;
  readonly hasTiers: boolean;
  readonly signal: AbortSignal;
}

/** What a request that follows the feed needs: the waiters, and the signal for when its client has gone. */
export interface Following {
  readonly waiters: FeedWaiters;
  readonly signal: AbortSignal;
}

/** `news`: an event after the position is shown. `over`: the time is over. `ended`: the signal was given, or the node stops. */
export type WaitEnd = "news" | "over" | "ended";

interface Waiter {
  readonly after: Position;
  readonly hasTiers: boolean;
  end(how: WaitEnd): void;
}

const PLACES = 200;
const PLACES_PER_CREDENTIAL = 20;
const POLL_MS = 250;

/** Creates the waiters. One query every 250 ms serves all of them; there is none while no request waits. */
export function createFeedWaiters(deps: Pick<Deps, "db" | "clock" | "log">): FeedWaiters {
  const taken = new Map<string, number>();
  const waiters = new Set<Waiter>();
  let places = 0;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function poll(): Promise<void> {
    try {
      const hasTiers = [...waiters].some((waiter) => waiter.hasTiers);
      const { allotment, change } = await readNewest(deps, hasTiers);
      const isNews = ({ after, ...waiter }: Waiter) =>
        (allotment !== null && isAfter(allotment, after)) ||
        (waiter.hasTiers && change !== null && isAfter(change, after));
      for (const waiter of waiters) if (isNews(waiter)) waiter.end("news");
    } catch (error) {
      deps.log.debug({ error }, "the change feed could not look for events"); // each waiter looks itself when its wait ends
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
    wait(cursor, { ms, hasTiers, signal }) {
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
        const waiter = { after, hasTiers, end };
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

/** Returns the positions of the last allotment and, if it is asked for, of the last change of a tier that are shown; null: there is none. */
async function readNewest(
  deps: Pick<Deps, "db" | "clock">,
  hasTiers: boolean,
): Promise<{ readonly allotment: Position | null; readonly change: Position | null }> {
  const { settledAt } = await readSettledMark(deps);
  if (settledAt === null) return { allotment: null, change: null };
  const before = { allottedAt: settledAt, uid: LAST_UID };
  const [[allotment], change] = await Promise.all([
    selectBetween(deps.db, { type: null, after: FIRST_POSITION, before }, "desc", 1),
    hasTiers ? readNewestChange(deps, settledAt) : null,
  ]);
  return { allotment: allotment ?? null, change };
}

async function readNewestChange({ db }: Pick<Deps, "db">, settledAt: Temporal.Instant): Promise<Position | null> {
  const after = { at: FIRST_POSITION.allottedAt, uid: FIRST_POSITION.uid };
  const [change] = await selectFedTierChanges(db, { after, before: { at: settledAt, uid: LAST_UID } }, "desc", 1);
  return change === undefined ? null : { allottedAt: change.fedAt, uid: change.uid };
}
