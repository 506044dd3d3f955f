import { type ExpiryRules, lotExpiry } from "./expiry.ts";
import { compareAge, compareDated, insertSorted, type Draw, type Lot } from "./lots.ts";
import type { LotWindow } from "./posting.ts";

/** More lots than the window holds are needed: read a larger one and decide again. */
export const NEED_LOTS = Symbol("need lots");

interface Held {
  lot: Lot;
  remaining: bigint;
  readonly opened: boolean;
}

/** The lots of one balance while a batch is decided: a working copy that opens and burns lots, and tells what changed. */
export interface LotBurner {
  open(lot: Lot): void;
  /** Takes `points` from the lots, `first` ones first, then soonest expiry, then oldest (those with a date of their own by it). */
  burn(points: bigint, first: readonly bigint[], activeAt: Temporal.Instant | null): Draw[] | typeof NEED_LOTS;
  /** The sum of lots whose expiry lies at or before `now`. */
  due(now: Temporal.Instant, activeAt: Temporal.Instant | null): bigint | typeof NEED_LOTS;
  /** The oldest lot without a date of its own and the soonest own date, exactly. */
  bounds(): { oldestSince: Temporal.Instant | null; soonestExpiresAt: Temporal.Instant | null } | typeof NEED_LOTS;
  changes(): { opened: Lot[]; changed: Lot[]; usedUp: Lot[] };
}

/** A burner over a window of lots. */
export function lotBurner(window: LotWindow, rules: ExpiryRules): LotBurner {
  const held = new Map<string, Held>();
  const hold = (lot: Lot, opened: boolean): Held => {
    const key = `${lot.version}/${lot.part}`;
    const known = held.get(key);
    if (known !== undefined) return known;
    const entry = { lot, remaining: lot.remaining, opened };
    held.set(key, entry);
    return entry;
  };
  const dated = window.dated.map((lot) => hold(lot, false).lot);
  const undated = window.undated.map((lot) => hold(lot, false).lot);
  for (const lot of window.named) hold(lot, false);
  const of = (lot: Lot): Held => hold(lot, false);
  const firstLeft = (lots: Lot[]): Lot | undefined => {
    while (lots[0] !== undefined && of(lots[0]).remaining === 0n) lots.shift();
    return lots[0];
  };

  /** The next lot to burn; undefined: none is left. */
  const next = (activeAt: Temporal.Instant | null): Lot | undefined | typeof NEED_LOTS => {
    const d = firstLeft(dated);
    const u = firstLeft(undated);
    if ((d === undefined && window.datedMore) || (u === undefined && window.undatedMore)) return NEED_LOTS;
    if (d === undefined || u === undefined) return d ?? u;
    return burnsBefore(d, u, activeAt, rules) ? d : u;
  };

  const take = (lot: Lot, points: bigint, draws: Draw[]): bigint => {
    const entry = of(lot);
    const taken = entry.remaining < points ? entry.remaining : points;
    if (taken > 0n) draws.push({ lot, points: taken });
    entry.remaining -= taken;
    return points - taken;
  };

  return {
    open(lot) {
      hold(lot, true);
      const [list, more, compare] =
        lot.expiresAt === null
          ? ([undated, window.undatedMore, compareAge] as const)
          : ([dated, window.datedMore, compareDated] as const);
      // behind the window's end it waits unseen: reaching that end reads a larger window and decides anew
      const last = list.at(-1);
      if (!more || (last !== undefined && compare(lot, last) < 0)) insertSorted(list, lot, compare);
    },
    burn(points, first, activeAt) {
      const draws: Draw[] = [];
      let left = points;
      for (const version of first) {
        for (const entry of held.values()) if (entry.lot.version === version) left = take(entry.lot, left, draws);
      }
      while (left > 0n) {
        const lot = next(activeAt);
        if (lot === NEED_LOTS) return NEED_LOTS;
        if (lot === undefined) throw new Error("a balance holds more points than its lots");
        left = take(lot, left, draws);
      }
      return draws;
    },
    due(now, activeAt) {
      let sum = 0n;
      for (const [list, more] of [
        [dated, window.datedMore],
        [undated, window.undatedMore],
      ] as const) {
        let reachedEnd = true;
        for (const lot of list) {
          const expiry = lotExpiry(lot, activeAt, rules);
          if (expiry === null || Temporal.Instant.compare(expiry, now) > 0) {
            reachedEnd = false;
            break;
          }
          sum += of(lot).remaining;
        }
        if (reachedEnd && more) return NEED_LOTS;
      }
      return sum;
    },
    bounds() {
      const d = firstLeft(dated);
      const u = firstLeft(undated);
      if ((d === undefined && window.datedMore) || (u === undefined && window.undatedMore)) return NEED_LOTS;
      return { oldestSince: u?.since ?? null, soonestExpiresAt: d?.expiresAt ?? null };
    },
    changes() {
      const opened: Lot[] = [];
      const changed: Lot[] = [];
      const usedUp: Lot[] = [];
      for (const { lot, remaining, opened: isNew } of held.values()) {
        if (isNew && remaining > 0n) opened.push({ ...lot, remaining });
        else if (!isNew && remaining === 0n) usedUp.push(lot);
        else if (!isNew && remaining !== lot.remaining) changed.push({ ...lot, remaining });
      }
      return { opened, changed, usedUp };
    },
  };
}

/** Soonest expiry first; of those that go in the same sweep, the one with a date of its own. */
function burnsBefore(
  dated: Lot,
  undated: Lot,
  activeAt: Temporal.Instant | null,
  rules: ExpiryRules,
): boolean {
  const own = lotExpiry(dated, activeAt, rules);
  const computed = lotExpiry(undated, activeAt, rules);
  return own !== null && (computed === null || Temporal.Instant.compare(own, computed) <= 0);
}
