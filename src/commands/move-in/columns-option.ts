import { UsageError } from "../../config.ts";
import type { Columns } from "../../imports/read/columns.ts";
import type { ImportField } from "../../wire/import-fields.ts";

/**
 * Returns the columns of a file: the recognised ones, overridden by those that `--columns points=Balance,expires_at=Ends` names as in the first row.
 * Throws UsageError for an unknown field or column.
 */
export function columnsOption(
  header: readonly string[],
  { recognised, fields, text }: { recognised: Columns; fields: readonly ImportField[]; text: string | undefined },
): Columns {
  if (text === undefined) return recognised;
  const given = text.split(",").map((pair) => {
    const [name = "", column = ""] = pair.split("=", 2).map((part) => part.trim());
    const field = fields.find((known) => known === name);
    if (field === undefined) throw new UsageError(`--columns: expected one of ${fields.join(", ")}, not "${name}".`);
    const at = header.findIndex((cell) => cell.trim().toLowerCase() === column.toLowerCase());
    if (at === -1) throw new UsageError(`--columns: the first row has no column "${column}".`);
    return [field, at] as const;
  });
  const taken = new Set(given.map(([, at]) => at));
  const free = Object.entries(recognised).filter(([, at]) => !taken.has(at ?? -1));
  return Object.fromEntries([...free, ...given]);
}
