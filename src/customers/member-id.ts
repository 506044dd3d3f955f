import { createHash } from "node:crypto";

const PREFIX = "email:";
const DIGEST_CHARS = 32;

/**
 * Returns the storefront id of a member of another app who is known only by e-mail address (in lower case); the id does not reveal the
 * address. `nonce`: of an attempt to import members; the id of a deleted one is not used again.
 */
export function memberIdOf(email: string, nonce: string): string {
  return PREFIX + createHash("sha256").update(`${nonce}/${email}`).digest("hex").slice(0, DIGEST_CHARS);
}

/** Whether a storefront id is that of a member who is known only by e-mail. */
export function isMemberId(storefrontId: string): boolean {
  return storefrontId.startsWith(PREFIX);
}

/** SQL: the same for a column. */
export const IS_MEMBER_ID = `like '${PREFIX}%'`;
