import { createHmac, timingSafeEqual } from "node:crypto";
import { type CustomerRef, refOf } from "../ledger/customer-ref.ts";

const UID_BYTES = 16;
const TAG_BYTES = 16;
/** Length of the signing key in bytes. */
export const LINK_KEY_BYTES = 32;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The token of a customer's link: the uid and a signature over it. It never expires, because a mail may be read after years. */
export function unsubscribeToken(key: Buffer, { customerUid }: Pick<CustomerRef, "customerUid">): string {
  const uid = Buffer.from(customerUid.replaceAll("-", ""), "hex");
  return Buffer.concat([uid, tagOf(key, uid)]).toString("base64url");
}

/** The customer whom a token names; null where its signature is not valid. */
export function customerOfToken(key: Buffer, token: string): CustomerRef | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const [uid, tag] = [bytes.subarray(0, UID_BYTES), bytes.subarray(UID_BYTES)];
  if (tag.length !== TAG_BYTES || !timingSafeEqual(tag, tagOf(key, uid))) return null;
  return refOf(uid.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"));
}

function tagOf(key: Buffer, uid: Buffer): Buffer {
  return createHmac("sha256", key).update("unsubscribe/").update(uid).digest().subarray(0, TAG_BYTES);
}
