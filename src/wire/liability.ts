/** What moves points, as an accountant counts it: those that add to what is owed, then those that take from it. */
export const MOVEMENT_KINDS = [
  "issued",
  "returned",
  "restored",
  "moved_in",
  "redeemed",
  "expired",
  "taken_back",
  "corrected",
  "forfeited",
  "moved_out",
] as const;

export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** Kinds that add to what is owed. */
export const ADDING_KINDS: readonly MovementKind[] = ["issued", "returned", "restored", "moved_in"];
