/** SQLSTATE classes "data exception" and "integrity constraint violation". */
const DATA_CLASSES: readonly string[] = ["22", "23"];

/**
 * Returns whether the written data caused an error, so that every retry would fail too: database errors about values and constraints, and
 * invalid values in our own code. Lost connections, locks and full disks are not data faults.
 */
export function isDataFault(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.length === 5 && DATA_CLASSES.includes(code.slice(0, 2));
}
