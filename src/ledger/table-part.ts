import type { Param } from "../db/encode-param.ts";
import { unnested } from "../db/unnested.ts";
import type { CustomerChange } from "./posting.ts";

/** One table's part of a batch: a statement over arrays, one array per column, with an element for each row to write. */
export interface TablePart {
  readonly text: string;
  readonly rowCount: number;
  /** Returns the arrays of a slice of the rows. */
  columnsOf(from: number, to: number): readonly (readonly Param[] | null)[];
}

/** A column's name and type, and its value for a row. */
export type Column<Row> = readonly [name: `${string} ${string}`, pick: (row: Row) => Param];

/** The statements by the texts of their parts. There are few combinations, and each is prepared once per connection. */
const statements = new Map<string, string>();

export function partsStatement(parts: readonly TablePart[]): string {
  const name = parts.map(({ text }) => text).join(";");
  const known = statements.get(name);
  if (known !== undefined) return known;
  let used = 0;
  const numbered = parts.map(({ text, columnsOf }, i) => {
    const before = used;
    used += columnsOf(0, 0).length;
    return {
      part: `part${i} as (${text.replace(/\$(\d+)/g, (_, n) => `$${before + Number(n)}`)} returning 1)`,
      count: `((select count(*) from part${i}), cardinality($${before + 1}::smallint[]))`,
    };
  });
  const statement = `with ${numbered.map(({ part }) => part).join(",\n")}
select case when written = wanted then 0 else ('a part of the ledger wrote ' || written || ' rows of ' || wanted)::integer end
from (values ${numbered.map(({ count }) => count).join(", ")}) as counts (written, wanted)`;
  statements.set(name, statement);
  return statement;
}

/** Turns rows into columns; without rows there is no part. A column of only nulls is sent as null, which `unnest` fills up; a key is never null. */
export function partOf<Row>(text: string, rows: readonly Row[], columns: readonly Column<Row>[]): TablePart[] {
  if (rows.length === 0) return [];
  const columnsOf = (from: number, to: number) => {
    const slice = from === 0 && to === rows.length ? rows : rows.slice(from, to);
    return columns.map(([, pick]) => columnOf(slice, pick));
  };
  return [{ text, rowCount: rows.length, columnsOf }];
}

function columnOf<Row>(rows: readonly Row[], pick: (row: Row) => Param): Param[] | null {
  const values = rows.map(pick);
  return values.every((value) => value === null) ? null : values;
}

/** Returns the SQL for the rows of a statement's parameters. */
export function parameterRows<Row>(columns: readonly Column<Row>[]): string {
  return unnested(columns.map(([name]) => name));
}

/** A customer's change of more rows is written in slices of this many: the service answers other requests between two of them. */
export const SLICE_ROWS = 2_000;

/** Many customers' changes, such as those of a batch that draws some lots from each, are written by one statement up to so many rows. */
const TOGETHER_ROWS = 10 * SLICE_ROWS;

/**
 * Whether changes are written by several statements, one after the other: those of a customer with very many lots, or very many of several. COMMIT
 * must wait for them.
 */
export function isLong(changes: readonly CustomerChange[]): boolean {
  const rows = changes.map(rowsOfChange);
  return rows.some((count) => count > SLICE_ROWS) || rows.reduce((sum, count) => sum + count, 0) > TOGETHER_ROWS;
}

function rowsOfChange({ allotments, draws, lotsUsedUp, lotsOpened }: CustomerChange): number {
  return Math.max(allotments.length, draws.length, lotsUsedUp.length, lotsOpened.length);
}
