import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSplitter, type SplitRow } from "./splitter.ts";

const cell = fc.array(fc.constantFrom("a", "é", "日本", " ", ",", "\t", ";", '"', "\r", "\n", "\r\n", "1", "😀"), {
  maxLength: 6,
});
const table = fc.array(
  fc.array(
    cell.map((parts) => parts.join("")),
    { minLength: 1, maxLength: 4 },
  ),
  { maxLength: 8 },
);
const separators = fc.constantFrom(",", "\t", ";");
const lineEnds = fc.constantFrom("\r\n", "\n", "\r");

/** Splits a text at random positions. */
function cut(text: string, cuts: readonly number[]): string[] {
  const places = [0, ...cuts.map((c) => c % (text.length + 1)), text.length].sort((a, b) => a - b);
  return places.slice(1).map((end, i) => text.slice(places[i], end));
}

function split(pieces: readonly string[], separator: string): SplitRow[] {
  const splitter = createSplitter(separator);
  return [...pieces, ""].flatMap((piece, i) => {
    const rows = splitter.push(piece, i === pieces.length);
    if (!Array.isArray(rows)) throw new Error(JSON.stringify(rows));
    return rows;
  });
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

describe("the splitter", () => {
  test("agrees with csv-parse, wherever the text is cut", () => {
    fc.assert(
      fc.property(
        table,
        separators,
        lineEnds,
        fc.array(fc.nat()),
        fc.boolean(),
        (rows, separator, lineEnd, cuts, ends) => {
          const lines = rows.map((cells) =>
            cells.map((text) => (/[",\t;\r\n]/.test(text) ? quoted(text) : text)).join(separator),
          );
          const text = lines.join(lineEnd) + (ends ? lineEnd : "");
          const known: string[][] = parse(text, {
            delimiter: separator,
            record_delimiter: ["\r\n", "\n", "\r"],
            relax_column_count: true,
            skip_empty_lines: true,
            skip_records_with_empty_values: true,
          });
          expect(split(cut(text, cuts), separator).map(({ cells }) => cells)).toEqual(known);
        },
      ),
      { numRuns: 300 },
    );
  });

  test("counts lines as an editor does, those inside quotes too", () => {
    const text = 'a,"x\ny\r\nz"\r\n\r\nb,1\rc,2\n"d"\n';
    expect(split([text], ",")).toEqual([
      { line: 1, cells: ["a", "x\ny\r\nz"] },
      { line: 5, cells: ["b", "1"] },
      { line: 6, cells: ["c", "2"] },
      { line: 7, cells: ["d"] },
    ]);
  });

  test("leaves out lines in which every cell is empty, as spreadsheets write them behind a table", () => {
    expect(split(['a,b\n,\n" ",\n1,\n,,,\n'], ",")).toEqual([
      { line: 1, cells: ["a", "b"] },
      { line: 4, cells: ["1", ""] },
    ]);
  });

  test("takes quotes inside a cell, and text behind a closing one, as they stand", () => {
    expect(split(['5" pipe,"a"b,""'], ",")).toEqual([{ line: 1, cells: ['5" pipe', "ab", ""] }]);
  });

  test("says where a quote was opened that is never closed, and keeps no endless row", () => {
    const open = createSplitter(",");
    expect(open.push('a,b\nc,"d\n')).toEqual([{ line: 1, cells: ["a", "b"] }]);
    expect(open.push("e,f\n", true)).toEqual({ code: "quote_not_closed", line: 2 });
    const tooLong = { code: "row_too_long", line: 2 };
    for (const row of [`"${"y".repeat(65_537)}`, `${"y".repeat(65_537)}\nz\n`, `${",".repeat(1_000)}\nz\n`]) {
      const splitter = createSplitter(",");
      expect(splitter.push(`x\n${row}`)).toEqual([{ line: 1, cells: ["x"] }]);
      expect(splitter.push("", true)).toEqual(tooLong);
      expect(createSplitter(",").push(`x\n${row}`, true)).toEqual(tooLong);
    }
    expect(split([`x\n${",".repeat(999)}y\n`], ",")[1]?.cells).toHaveLength(1_000);
  });
});
