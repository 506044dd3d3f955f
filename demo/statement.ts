/** What an exported statement says, all its lines together. */
export interface StatementSums {
  readonly customers: number;
  readonly closing: bigint;
}

/** Reads a statement (program.md 2, export request): its header names the columns. Names hold no line break here. */
export function readStatement(csv: string): StatementSums {
  const [header = "", ...lines] = csv.trimEnd().split("\r\n");
  const column = header.split(",").indexOf("closing_balance");
  const closing = lines.map((line) => BigInt(cellsOf(line)[column] ?? ""));
  return { customers: lines.length, closing: closing.reduce((sum, points) => sum + points, 0n) };
}

/** The cells of a line: a quoted one may hold commas, and a quote of its own is written twice. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
    quoted === undefined ? (plain ?? "") : quoted.replaceAll('""', '"'),
  );
}
