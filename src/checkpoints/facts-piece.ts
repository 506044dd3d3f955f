/** An entry of a piece begins with the customer's place and the length of the facts, 4 bytes each, little-endian. The facts follow. */
export const FACTS_AT = 8;

/** Facts of allotments, one entry after the other: what a hasher sends to its thread. */
export interface FactsPiece {
  readonly bytes: ArrayBuffer;
  /** How many of the bytes are entries. */
  readonly used: number;
}

/** The thread's last message; the ones before it are the bytes of each piece, to be used again. */
export interface FactsHashes {
  /** The head of each customer's chain, by place. Empty without a chain key. */
  readonly heads: Uint8Array;
  /** The hash of each full tile, in order. */
  readonly tiles: Uint8Array;
}
