import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";

/** Encrypts what must be readable again but never lie open in the database: the API secret key, subscriptions' secrets. */
export interface SecretBox {
  /** Version byte, nonce (12), tag (16), text: AES-256-GCM. */
  seal(text: string): Buffer;
  /** Throws SecretBoxError where the key is not the one that sealed, or the bytes were changed. */
  open(sealed: Buffer): string;
}

/** The key at hand does not open what is stored. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/** A box for a key of any length (program.md 8, POINTKEEPER_SECRET_KEY). The derivation is slow on purpose: make one a process. */
export function createSecretBox(key: string): SecretBox {
  const derived = scryptSync(key, "pointkeeper secret box", 32);
  return {
    seal(text) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", derived, nonce);
      const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
      return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
    },
    open(sealed) {
      if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION) {
        throw new SecretBoxError("A stored secret is damaged: it is not in the form that this version writes.");
      }
      const decipher = createDecipheriv("aes-256-gcm", derived, sealed.subarray(1, 1 + NONCE_BYTES));
      decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
      try {
        return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()]).toString("utf8");
      } catch {
        throw new SecretBoxError(
          "The secret key does not open the secrets stored in the database: POINTKEEPER_SECRET_KEY, or the key file of " +
            "the data folder, is not the one that sealed them.",
        );
      }
    },
  };
}
