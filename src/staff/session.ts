import { createHash } from "node:crypto";

/** A session ends so long after its last request, and so long after its beginning at the latest. */
export const IDLE_HOURS = 12;
export const SESSION_DAYS = 14;
export const SESSION_SECONDS = SESSION_DAYS * 86_400;
const SEEN_EVERY_S = 60;

export interface SessionTimes {
  readonly createdAt: Temporal.Instant;
  readonly seenAt: Temporal.Instant;
}

export function isSessionOver({ createdAt, seenAt }: SessionTimes, now: Temporal.Instant): boolean {
  return now.since(seenAt).total("hours") >= IDLE_HOURS || now.since(createdAt).total("hours") >= SESSION_DAYS * 24;
}

/** Whether the time of the last request is worth writing again. */
export function isSeenStale({ seenAt }: SessionTimes, now: Temporal.Instant): boolean {
  return now.since(seenAt).total("seconds") >= SEEN_EVERY_S;
}

/** A token from 32 random bytes. */
export function sessionToken(bytes: Buffer): string {
  return bytes.toString("base64url");
}

/** What is kept of a token: it has 256 random bits, so a slow hash would add nothing. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}
