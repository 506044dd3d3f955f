import type { Lot } from "./lots.ts";
import type { LotWindow } from "./posting.ts";

/** A window of the first lots of a balance, one more than `size` where there are more. */
export function firstWindow(lots: readonly Lot[], size: number): LotWindow {
  const within = lots.slice(0, size);
  const isMore = lots.length > size;
  return {
    dated: within.filter(isDated),
    datedMore: isMore && lots.slice(size).some(isDated),
    undated: within.filter((lot) => !isDated(lot)),
    undatedMore: isMore,
    named: [],
  };
}

/** A window of the first lots of each kind, one more than `size` where there are more. */
export function kindsWindow(lots: readonly Lot[], size: number): LotWindow {
  const dated = lots.filter(isDated);
  const undated = lots.filter((lot) => !isDated(lot));
  return {
    dated: dated.slice(0, size),
    datedMore: dated.length > size,
    undated: undated.slice(0, size),
    undatedMore: undated.length > size,
    named: [],
  };
}

function isDated({ expiresAt }: Lot): boolean {
  return expiresAt !== null;
}
