/** Gathers text into pieces of a file. */
export interface PieceGatherer {
  /** Takes some lines; returns a piece when enough has come together. */
  add(line: string): Buffer | null;
  /** What is left; null: nothing. */
  rest(): Buffer | null;
}

/** Pieces of at least `pieceBytes`, all but the last. */
export function gatherPieces(pieceBytes: number): PieceGatherer {
  let lines: string[] = [];
  let bytes = 0;
  function rest(): Buffer | null {
    if (lines.length === 0) return null;
    const piece = Buffer.from(lines.join(""), "utf8");
    lines = [];
    bytes = 0;
    return piece;
  }
  return {
    add(line) {
      lines.push(line);
      bytes += Buffer.byteLength(line);
      return bytes >= pieceBytes ? rest() : null;
    },
    rest,
  };
}
