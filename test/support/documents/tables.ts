import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");

/** A row of a table, by the text of the column's header. */
export type Row = ReadonlyMap<string, string>;

export interface Section {
  readonly title: string;
  /** The first block of JSON. */
  readonly json: object;
  readonly rows: readonly Row[];
}

/** The sections of a page that have a block of JSON and a table. */
export function sectionsOf(page: string): Section[] {
  const [, ...parts] = readFileSync(join(ROOT, page), "utf8").split(/^## /m);
  return parts.flatMap((text) => {
    const json = /^```json\n([\s\S]*?)^```/m.exec(text)?.[1];
    const [head = [], , ...rows] = text
      .split("\n")
      .filter((line) => line.startsWith("|"))
      .map((line) => line.split("|").slice(1, -1))
      .map((cells) => cells.map((cell) => cell.trim()));
    if (json === undefined || rows.length === 0) return [];
    const title = text.slice(0, text.indexOf("\n"));
    return [
      {
        title,
        json: JSON.parse(json),
        rows: rows.map((cells) => new Map(head.map((name, at) => [name, cells[at] ?? ""]))),
      },
    ];
  });
}

/** The section's program with the settings of a row, whose columns have the path of a setting in backquotes. */
export function programOfRow(json: object, row: Row): object {
  const program = structuredClone(json);
  for (const [head, cell] of row) {
    const path = /^`(\w+)\.(\w+)`$/.exec(head);
    if (path === null) continue;
    const [, section = "", name = ""] = path;
    const value = /^(?:true|false|\d+)$/.test(cell) ? JSON.parse(cell) : cell;
    Reflect.set(program, section, { ...Reflect.get(program, section), [name]: value });
  }
  return program;
}
