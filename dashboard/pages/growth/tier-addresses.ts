export type Direction = "up" | "down";

/** The parameters of the list of moves; `month` is empty while none is open. */
export const NO_MOVES = { month: "", direction: "up", from: "", to: "", after: "" };

/** The parameters of the list of a tier's members; `stays` is its month, empty while none is open. */
export const NO_STAYS = { stays: "", figure: "members", tier: "", after: "" };

/** The address without a list. */
export const NO_LIST_PATH = "/growth/tiers";

/** Returns the address of the members who moved up or down in a month. */
export function movesPath(month: string, direction: Direction): string {
  return `${NO_LIST_PATH}?${new URLSearchParams({ month, direction })}`;
}

/** Returns the address of the members who were in a tier at the end of a month. */
export function tierMembersPath(month: string, tier: string): string {
  return `${NO_LIST_PATH}?${new URLSearchParams({ stays: month, tier })}`;
}

/** Returns the address of the members who kept their tier in a month. */
export function keptPath(month: string): string {
  return `${NO_LIST_PATH}?${new URLSearchParams({ stays: month, figure: "kept" })}`;
}
