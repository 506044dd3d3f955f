import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from "node:crypto";

/** Encrypts values that must be readable again but not in plain text in the database: the API secret key, subscriptions' secrets. */
export interface SecretBox {
  /** Version byte, nonce (12), tag (16), text: AES-256-GCM with the current key. */
  seal(text: string): Buffer;
  /** Throws SecretBoxError if none of the available keys sealed it, or the bytes were changed. */
  open(sealed: Buffer): string;
  /** Returns the same text sealed with the current key; null if it already is. Throws SecretBoxError like `open`. */
  resealed(sealed: Buffer): Buffer | null;
}

/** The available keys. There are two while the key is changed: both decrypt, the current one encrypts. */
export interface SecretKeys {
  readonly current: string;
  readonly previous: readonly string[];
  /** Reads the keys again if they may change while this process runs; null: they have not changed. */
  readonly reload?: () => SecretKeys | null;
}

/** The available key does not decrypt what is stored. */
export class SecretBoxError extends Error {
  override readonly name = "SecretBoxError";
}

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Creates a box for keys of any length (program.md 8, POINTKEEPER_SECRET_KEY). Key derivation is slow on purpose: create one box per process. A key is
 * derived when it is first needed, since most commands open and seal nothing.
 */
export function createSecretBox(key: string | SecretKeys): SecretBox {
  let keys: SecretKeys = typeof key === "string" ? { current: key, previous: [] } : key;
  const derived = new Map<string, Buffer>();

  function follow(): boolean {
    const changed = keys.reload?.() ?? null;
    if (changed === null) return false;
    keys = { ...keys, current: changed.current, previous: changed.previous };
    return true;
  }

  function derivedOf(text: string): Buffer {
    const known = derived.get(text) ?? derive(text);
    derived.set(text, known);
    return known;
  }

  const openBy = (text: string, sealed: Buffer) => decipher(derivedOf(text), sealed);

  function openByAny(sealed: Buffer): string | null {
    for (const text of [keys.current, ...keys.previous]) {
      const opened = openBy(text, sealed);
      if (opened !== null) return opened;
    }
    return null;
  }

  function open(sealed: Buffer): string {
    if (sealed.length < HEAD_BYTES || sealed[0] !== VERSION)
      throw new SecretBoxError("A stored secret is damaged: it is not in the form that this version writes.");
    const opened = openByAny(sealed) ?? (follow() ? openByAny(sealed) : null);
    if (opened === null) throw new SecretBoxError(WRONG_KEY);
    return opened;
  }

  function seal(text: string): Buffer {
    follow();
    return encipher(derivedOf(keys.current), text);
  }

  function resealed(sealed: Buffer): Buffer | null {
    follow();
    const text = open(sealed);
    return openBy(keys.current, sealed) === null ? seal(text) : null;
  }

  return { seal, open, resealed };
}

const WRONG_KEY =
  "The secret key does not open the secrets stored in the database: POINTKEEPER_SECRET_KEY, or the key file of the data folder, is not " +
  "the one that sealed them. Bring that one back; where it is lost, see pointkeeper secrets reset.";

/** Returns a box without a key, whose calls throw an error with the reason. */
export function lockedSecretBox(reason: string): SecretBox {
  const refuse = () => {
    throw new SecretBoxError(reason);
  };
  return { seal: refuse, open: refuse, resealed: refuse };
}

/** Whether a box can decrypt a sealed value. */
export function canOpen(box: SecretBox, sealed: Buffer): boolean {
  try {
    box.open(sealed);
    return true;
  } catch (error) {
    if (error instanceof SecretBoxError) return false;
    throw error;
  }
}

function derive(key: string): Buffer {
  return scryptSync(key, "pointkeeper secret box", 32);
}

function encipher(key: Buffer, text: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), body]);
}

/** Returns null if it was sealed with another key, or the bytes were changed. */
function decipher(key: Buffer, sealed: Buffer): string | null {
  const opening = createDecipheriv("aes-256-gcm", key, sealed.subarray(1, 1 + NONCE_BYTES));
  opening.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES));
  try {
    return Buffer.concat([opening.update(sealed.subarray(HEAD_BYTES)), opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}
