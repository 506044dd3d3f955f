import { createHash } from "node:crypto";

/** How many failures in a row are free, and how long the next one locks. */
export interface LockoutRule {
  readonly free: number;
  readonly firstS: number;
  readonly maxS: number;
}

/** Of one person from one address, or with a browser that is known: five mistakes are free, then half a minute, doubling up to an hour. */
export const PERSON_RULE: LockoutRule = { free: 5, firstS: 30, maxS: 3_600 };
/** Of one address, which many people may share. */
export const ADDRESS_RULE: LockoutRule = { free: 20, firstS: 30, maxS: 3_600 };
/** Of one person from wherever: it slows guessing from many addresses down, and holds up no browser that is known. */
export const EMAIL_RULE: LockoutRule = { free: 50, firstS: 5, maxS: 60 };
/** Failures are forgotten when there is no other for this time. */
export const FORGOTTEN_HOURS = 24;

/** For how long nothing is tried after the last of `failures` in a row, in seconds. */
export function lockS(rule: LockoutRule, failures: number): number {
  if (failures < rule.free) return 0;
  return Math.min(rule.maxS, rule.firstS * 2 ** (failures - rule.free));
}

/** What stands for an e-mail in the keys of failures: what was typed there may be a password. */
export function emailHash(email: string): string {
  return createHash("sha256").update(email).digest("hex");
}
