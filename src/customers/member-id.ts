import { createHash } from "node:crypto";

const PREFIX = "email:";
const FORMER = `${PREFIX}former/`;
const DIGEST_CHARS = 32;

/**
 * Returns the storefront id of a member of another app who is known only by e-mail address (in lower case); the id does not reveal the
 * address. `nonce`: of an attempt to import members; the id of a deleted one is not used again.
 */
export function memberIdOf(email: string, nonce: string): string {
  return PREFIX + digestOf(`${nonce}/${email}`);
}

/**
 * Returns the id by which the rows of another app's file find the customer into whom the one with an e-mail address (in lower case) was merged while
 * the file is imported. It begins with the move's uid, so that it can be removed when the move has ended.
 */
export function formerAddressId(email: string, moveUid: string): string {
  return `${FORMER}${moveUid}/${digestOf(`${moveUid}/${email}`)}`;
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, DIGEST_CHARS);
}

/** Whether a storefront id is that of a member who is known only by e-mail. */
export function isMemberId(storefrontId: string): boolean {
  return storefrontId.startsWith(PREFIX);
}

/** SQL: the same for a column. */
export const IS_MEMBER_ID = `like '${PREFIX}%'`;

/** SQL: whether a column has an id of `formerAddressId`. */
export const IS_FORMER_ADDRESS_ID = `like '${FORMER}%'`;

/** SQL: the move's uid, as text, in an id of `formerAddressId`. */
export const moveUidIn = (column: string) => `substr(${column}, ${FORMER.length + 1}, 36)`;
