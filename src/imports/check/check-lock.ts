// What a check writes of an import, and whoever empties it: begins the check anew, or erases it. A lock of the import's row would be
// in the way of its lease, and batches that come without a pause would never let the other one have it.
const KEY = "hashtextextended('pointkeeper import check/' || $1, 0)";

/** Held by a batch until its transaction ends; takes the import's uid. */
export const LOCK_CHECKED_SHARED = `select pg_advisory_xact_lock_shared(${KEY})`;

/** Waits for the batches in hand and keeps others off. */
export const LOCK_CHECKED = `select pg_advisory_xact_lock(${KEY})`;
