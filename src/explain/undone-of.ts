/** What an allotment may undo, which its natural key says (program.md 3). */
export type Undone = "adjustment" | "import";

/** Returns what an allotment undoes; null: nothing. */
export function undoneOf({ type, sourceKey }: { readonly type: string; readonly sourceKey: string }): Undone | null {
  if (type === "manual" && sourceKey.startsWith("undo/")) return "adjustment";
  return type === "csv" && sourceKey.startsWith("csv_undo/") ? "import" : null;
}
