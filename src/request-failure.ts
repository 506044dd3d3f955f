/** Returns why a request that fetch sent failed: its error is "fetch failed", and the cause has the reason, such as a certificate that has expired. */
export function requestFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? cause.message || codeOf(cause) : error.message;
}

/** The error of a host with several addresses has no message of its own. */
function codeOf(error: Error): string {
  return "code" in error ? String(error.code) : String(error);
}
