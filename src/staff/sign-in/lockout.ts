import { createHash } from "node:crypto";

/** How many failures in a row are allowed without a lockout, and how long the next one locks. */
export interface LockoutRule {
  readonly free: number;
  readonly firstS: number;
  readonly maxS: number;
}

/** For one person from one address, or with a known browser: five mistakes are allowed, then half a minute, doubling up to an hour. */
export const PERSON_RULE: LockoutRule = { free: 5, firstS: 30, maxS: 3_600 };
/** For one address, which many people may share. */
export const ADDRESS_RULE: LockoutRule = { free: 20, firstS: 30, maxS: 3_600 };
/** For one person from any address: it slows down guessing from many addresses, and does not delay a known browser. */
export const EMAIL_RULE: LockoutRule = { free: 50, firstS: 5, maxS: 60 };
/** Failures are deleted when no other follows within this time. */
export const FORGOTTEN_HOURS = 24;

/** The seconds for which attempts are refused after the last of `failures` in a row. */
export function lockS(rule: LockoutRule, failures: number): number {
  if (failures < rule.free) return 0;
  return Math.min(rule.maxS, rule.firstS * 2 ** (failures - rule.free));
}

/** The digest of an e-mail for the keys of failures; the input is not stored, because it may be a password. */
export function emailHash(email: string): string {
  return createHash("sha256").update(email).digest("hex");
}
