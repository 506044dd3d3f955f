/** The longest wait for an answer, whatever the client prefers: a request must end before its connection is given up. */
export const WAIT_MAX_S = 20;

/** Whether a batch must be accepted completely or not at all: `Prefer: handling=strict` (RFC 7240). */
export function prefersStrict(header: string | readonly string[] | undefined): boolean {
  return /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(textOf(header));
}

/** Returns the seconds of `Prefer: wait=<seconds>` (RFC 7240) among other preferences, at most 20; 0 if there is none. */
export function preferredWaitS(header: string | readonly string[] | undefined): number {
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(textOf(header))?.[1];
  return Math.min(Number(seconds ?? 0), WAIT_MAX_S);
}

function textOf(header: string | readonly string[] | undefined): string {
  return typeof header === "object" ? header.join(",") : (header ?? "");
}
