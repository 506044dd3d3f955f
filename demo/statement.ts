/** The sums over all lines of an exported file. */
export interface StatementSums {
  readonly customers: number;
  readonly closing: bigint;
}

/** Parses an export (program.md 2, export request), whose header names the columns. Names contain no line break here. */
export function readStatement(csv: string): StatementSums {
  const [header = "", ...lines] = csv.trimEnd().split("\r\n");
  const column = header.split(",").indexOf("closing_balance");
  const closing = lines.map((line) => BigInt(cellsOf(line)[column] ?? ""));
  return { customers: lines.length, closing: closing.reduce((sum, points) => sum + points, 0n) };
}

/** Splits a line into cells: a quoted cell may contain commas, and doubled quotes. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  );
}
