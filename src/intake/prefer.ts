/** The longest wait for an answer, whatever is preferred: a request must end before its connection is given up. */
export const WAIT_MAX_S = 20;

/** Seconds of `Prefer: wait=<seconds>` (RFC 7240) among other preferences, at most 20; 0 where there is no such one. */
export function preferredWaitS(header: string | readonly string[] | undefined): number {
  const preferences = typeof header === "object" ? header.join(",") : (header ?? "");
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(preferences)?.[1];
  return Math.min(Number(seconds ?? 0), WAIT_MAX_S);
}
