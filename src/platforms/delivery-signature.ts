import { createHash, createHmac, timingSafeEqual } from "node:crypto";

/**
 * Checks base64(HMAC-SHA256(secret, raw body)) against each secret in constant time (platforms.md 1.3). There may be several, because a
 * rotation takes an hour and notifications of the store's own settings are signed with another secret. An empty secret is ignored.
 */
export function checkSignature(
  given: string | undefined,
  rawBody: Uint8Array,
  secrets: readonly string[],
): "ok" | "bad_signature" | "missing_header" {
  if (given === undefined) return "missing_header";
  const signature = Buffer.from(given, "base64");
  let matches = 0;
  for (const secret of secrets) {
    if (secret === "") continue;
    const expected = createHmac("sha256", secret).update(rawBody).digest();
    if (signature.length === expected.length && timingSafeEqual(signature, expected)) matches += 1;
  }
  return matches > 0 ? "ok" : "bad_signature";
}

/** Returns the key that distinguishes a delivery from others: the platform's id, if it has one, and a hash of topic and body. */
export function deliveryKey(id: string | undefined, topic: string, rawBody: Uint8Array): string {
  return `${id ?? ""}/${createHash("sha256").update(`${topic}\n`).update(rawBody).digest("hex")}`;
}
