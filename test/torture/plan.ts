/** What is done to the store while it works. */
export const FAULT_KINDS = [
  "node killed",
  "node frozen",
  "backend killed",
  "database killed",
  "cut before COMMIT",
  "cut after COMMIT before its answer",
  "cut after the answer of COMMIT",
  "connections cut anywhere",
  "clock jump",
  "disk full",
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** Since the beginning of the round. */
  readonly atMs: number;
  /** How long it lasts, where it lasts. */
  readonly lastsMs: number;
  /** The node that is meant, where one is. */
  readonly node: number;
  /** How many: of connections, of days. */
  readonly count: number;
}

/** Numbers from 0 to 1 that a seed repeats (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

export interface RoundOptions {
  readonly seed: number;
  readonly round: number;
  readonly roundMs: number;
  readonly nodes: number;
  readonly kinds: readonly FaultKind[];
  /** The longest that a node is frozen. */
  readonly frozenMsMax: number;
}

/** The times at which faults happen, as parts of a round: all of them in its first four fifths. */
const SPAN = 0.8;
const FAULTS_A_SECOND = 0.4;
const SHORTEST_MS = 500;

/** The faults of a round, in order of time: each kind at least once, then kinds by chance. The same for the same options. */
export function planRound({ seed, round, roundMs, nodes, kinds, frozenMsMax }: RoundOptions): Fault[] {
  const random = seeded(seed * 1_000_003 + round);
  const below = (n: number) => Math.floor(random() * n);
  const more = Math.max(0, Math.round((roundMs / 1_000) * FAULTS_A_SECOND) - kinds.length);
  const chosen = [...kinds, ...Array.from({ length: more }, () => kinds[below(kinds.length)])];
  const faults = chosen.flatMap((kind) => {
    if (kind === undefined) return [];
    const lastsMs = SHORTEST_MS + below(kind === "node frozen" ? frozenMsMax : 2_000);
    return [{ kind, atMs: below(roundMs * SPAN), lastsMs, node: below(nodes), count: 1 + below(6) }];
  });
  return faults.sort((one, other) => one.atMs - other.atMs);
}
