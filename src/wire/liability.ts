/** Movements of points in accounting terms: those that increase the liability, then those that decrease it. */
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

/** The kinds that increase the liability. */
export const ADDING_KINDS: readonly MovementKind[] = ["issued", "returned", "restored", "moved_in"];
