const CAUSES_MAX = 10;

/** Whether an error, or one of its causes, is the abort of a signal. */
export function isAbort(error: unknown): boolean {
  let cause = error;
  for (let n = 0; n < CAUSES_MAX && cause instanceof Error; n++) {
    if (cause.name === "AbortError") return true;
    cause = cause.cause;
  }
  return false;
}
