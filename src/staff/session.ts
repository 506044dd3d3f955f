import { createHash } from "node:crypto";
import type { Config } from "../config.ts";
import type { Staff } from "./staff.ts";

/** A session ends this time after its last request, and at the latest this time after its beginning. */
export const IDLE_HOURS = 12;
export const SESSION_DAYS = 14;
export const SESSION_SECONDS = SESSION_DAYS * 86_400;
const SEEN_EVERY_S = 60;
/** A browser that signed in is known for this time after its last sign-in. */
export const DEVICE_DAYS = 400;
export const DEVICE_SECONDS = DEVICE_DAYS * 86_400;
export const DEVICES_MAX = 20;
/** The time for which a link of an invitation or reset, and a generated password, are valid. */
export const LINK_DAYS = 3;
export const MADE_PASSWORD_DAYS = 3;
/** The most sensitive actions have to be done within this time after a password or code was given. */
export const CONFIRMED_MINUTES = 5;

/** Who is signed in, and when they last gave a password or code. */
export interface SignedIn extends Staff {
  readonly confirmedAt: Temporal.Instant;
}

/** Whether what matters most may be done now. */
export function isConfirmed({ confirmedAt }: Pick<SignedIn, "confirmedAt">, now: Temporal.Instant): boolean {
  return now.since(confirmedAt).total("minutes") < CONFIRMED_MINUTES;
}

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
export function randomToken(bytes: Buffer): string {
  return bytes.toString("base64url");
}

/** What is kept of a token: it has 256 random bits, so a slow hash would add nothing. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/** Whether somebody has to turn a second factor on before anything else: POINTKEEPER_REQUIRE_TOTP names their role. */
export function lacksTotp({ totpRoles }: Pick<Config, "totpRoles">, { role, hasTotp }: Staff): boolean {
  return !hasTotp && totpRoles.includes(role);
}
