/** SQLSTATE classes "data exception" and "integrity constraint violation". */
const DATA_CLASSES: readonly string[] = ["22", "23"];

/**
 * Returns whether the data that is written caused an error, so that it comes again whenever it is tried again: what the database
 * says of values and constraints, and wrong values in our own code. Lost connections, locks and full disks are none.
 */
export function isDataFault(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" && code.length === 5 && DATA_CLASSES.includes(code.slice(0, 2));
}
