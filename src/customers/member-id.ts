import { createHash } from "node:crypto";

const PREFIX = "email:";
const DIGEST_CHARS = 32;

/**
 * Returns the storefront id of a member of another app of whom only the e-mail address (in lower case) is known, which the id does not tell.
 * `nonce`: of an attempt to bring members in; the id of one who was deleted is not used again.
 */
export function memberIdOf(email: string, nonce: string): string {
  return PREFIX + createHash("sha256").update(`${nonce}/${email}`).digest("hex").slice(0, DIGEST_CHARS);
}

/** Whether a storefront id is that of a member who is known by e-mail only. */
export function isMemberId(storefrontId: string): boolean {
  return storefrontId.startsWith(PREFIX);
}

/** SQL: the same of a column. */
export const IS_MEMBER_ID = `like '${PREFIX}%'`;
