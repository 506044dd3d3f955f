import { preferenceOf } from "../http/preference-of.ts";

/** The longest wait for an answer, whatever the client prefers: a request must end before its connection is given up. */
export const WAIT_MAX_S = 20;

/** Whether a batch must be accepted completely or not at all: `Prefer: handling=strict` (RFC 7240). */
export function prefersStrict(header: string | readonly string[] | undefined): boolean {
  return preferenceOf(header, "handling")?.toLowerCase() === "strict";
}

/** Returns the seconds of `Prefer: wait=<seconds>` (RFC 7240) among other preferences, at most 20; 0 if there is none. */
export function preferredWaitS(header: string | readonly string[] | undefined): number {
  const seconds = preferenceOf(header, "wait") ?? "";
  return /^\d{1,6}$/.test(seconds) ? Math.min(Number(seconds), WAIT_MAX_S) : 0;
}
