/** Collects text into pieces of a file. */
export interface PieceGatherer {
  /** Adds some lines; returns a piece when there is enough text. */
  add(line: string): Buffer | null;
  /** Returns the remaining text; null: there is none. */
  rest(): Buffer | null;
}

/** Creates pieces of at least `pieceBytes`, except the last. */
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
