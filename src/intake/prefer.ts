/** The longest wait for an answer, whatever is preferred: a request must end before its connection is given up. */
export const WAIT_MAX_S = 20;

/** Whether a batch is to be taken whole or not at all: `Prefer: handling=strict` (RFC 7240). */
export function prefersStrict(header: string | readonly string[] | undefined): boolean {
  return /(?:^|,)\s*handling\s*=\s*"?strict"?\s*(?:[,;]|$)/i.test(textOf(header));
}

/** Seconds of `Prefer: wait=<seconds>` (RFC 7240) among other preferences, at most 20; 0 where there is no such one. */
export function preferredWaitS(header: string | readonly string[] | undefined): number {
  const seconds = /(?:^|,)\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(textOf(header))?.[1];
  return Math.min(Number(seconds ?? 0), WAIT_MAX_S);
}

function textOf(header: string | readonly string[] | undefined): string {
  return typeof header === "object" ? header.join(",") : (header ?? "");
}
