import { createHash } from "node:crypto";
import type { Config } from "../../config.ts";
import { canOpen, type SecretBox } from "../../credentials/secret-box.ts";
import type { Staff } from "../staff.ts";

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
/** The database's clock, which times confirmations, may be set back by so much, as at a failover. */
const CONFIRMED_AHEAD_MINUTES = 1;

/** How a session was begun. */
export type SessionMethod = "password" | "passkey" | "oidc";

/** A signed-in person, and when they last entered a password, code or passkey or were authenticated by the provider. */
export interface SignedIn extends Staff {
  readonly confirmedAt: Temporal.Instant;
  readonly method: SessionMethod;
}

/** The session in which a person changes their own account. */
export interface OwnSession {
  readonly staffUid: string;
  readonly token: string;
}

/** Whether the most sensitive actions are allowed now. A confirmation of a clock that was ahead does not count (decision 63). */
export function isConfirmed({ confirmedAt }: Pick<SignedIn, "confirmedAt">, now: Temporal.Instant): boolean {
  const minutes = now.since(confirmedAt).total("minutes");
  return minutes < CONFIRMED_MINUTES && minutes >= -CONFIRMED_AHEAD_MINUTES;
}

export interface SessionTimes {
  readonly createdAt: Temporal.Instant;
  readonly seenAt: Temporal.Instant;
  readonly method: SessionMethod;
}

/** Whether a session has expired. A session from the provider expires sooner, so that the provider confirms again what the person may do. */
export function isSessionOver(
  { createdAt, seenAt, method }: SessionTimes,
  now: Temporal.Instant,
  { oidc }: Pick<Config, "oidc">,
): boolean {
  const hoursMax = method === "oidc" ? (oidc?.sessionHours ?? 0) : SESSION_DAYS * 24;
  return now.since(seenAt).total("hours") >= IDLE_HOURS || now.since(createdAt).total("hours") >= hoursMax;
}

/** Whether the stored time of the last request is old enough to be updated. */
export function isSeenStale({ seenAt }: Pick<SessionTimes, "seenAt">, now: Temporal.Instant): boolean {
  return now.since(seenAt).total("seconds") >= SEEN_EVERY_S;
}

/** Returns bytes as the text of a token. */
export function randomToken(bytes: Buffer): string {
  return bytes.toString("base64url");
}

/**
 * Whether a token of a session was made with the store's secret key, which shows without the database (decision 94). The session may have ended.
 * Tokens of earlier versions, and of a secret key that was replaced, do not show it.
 */
export function isSealedToken(secretBox: SecretBox, token: string): boolean {
  return canOpen(secretBox, Buffer.from(token, "base64url"));
}

/** The digest that is stored of a token. A token has 114 random bits or more, so a slow hash would add nothing. */
export function hashToken(token: string): Buffer {
  return createHash("sha256").update(token, "utf8").digest();
}

/**
 * Whether a person has to turn a second factor on before anything else, because POINTKEEPER_REQUIRE_SECOND_FACTOR names their role. A person
 * who signed in through the identity provider used theirs there, if the store requires one (POINTKEEPER_OIDC_ACR).
 */
export function lacksSecondFactor(
  { secondFactorRoles }: Pick<Config, "secondFactorRoles">,
  { role, hasTotp, passkeys, method }: SignedIn,
): boolean {
  return !hasTotp && passkeys === 0 && method !== "oidc" && secondFactorRoles.includes(role);
}
