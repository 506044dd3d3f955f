import { createPrivateKey, createPublicKey, type KeyObject } from "node:crypto";
import { SecretBoxError } from "../../credentials/secret-box.ts";
import type { Deps } from "../../deps.ts";
import { type ChainHash, createChainHash } from "../chain/chain.ts";

export const LEDGER_KEY_BYTES = 32;
/** The prefix of each key before it is sealed, so that no other sealed text, whose content somebody may know, is accepted as a key. */
const USE = "pointkeeper ledger key 1";
const PKCS8_ED25519 = Buffer.from("302e020100300506032b657004220420", "hex");
const SPKI_BYTES = 12;

/** The sealed content of a row of `ledger_key`. */
export interface LedgerKeyMaterial {
  readonly uid: string;
  /** Whether every customer was linked once. From then on, a customer without a link was changed by hand. */
  readonly isLinked: boolean;
  readonly chainKey: Buffer;
  /** The Ed25519 private key. */
  readonly seed: Buffer;
}

/** A decrypted key of the ledger. */
export interface LedgerKey {
  readonly uid: string;
  readonly isLinked: boolean;
  readonly chain: ChainHash;
  readonly signingKey: KeyObject;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  readonly material: LedgerKeyMaterial;
}

/** Returns a key as the text that is sealed. */
export function keyText({ uid, isLinked, chainKey, seed }: LedgerKeyMaterial): string {
  return [USE, uid, isLinked ? "linked" : "linking", chainKey.toString("base64"), seed.toString("base64")].join("|");
}

/** Parses a key's text. Throws SecretBoxError if it is another text, or the key of another row. */
export function ledgerKeyOf(uid: string, text: string): LedgerKey {
  const [use, ownUid, state, chain = "", seedText = ""] = text.split("|");
  const chainKey = Buffer.from(chain, "base64");
  const seed = Buffer.from(seedText, "base64");
  if (use !== USE || ownUid !== uid || chainKey.length !== LEDGER_KEY_BYTES || seed.length !== LEDGER_KEY_BYTES)
    throw new SecretBoxError("The stored key of the ledger is not the one that was made for it: its row was changed.");
  const material = { uid, isLinked: state === "linked", chainKey, seed };
  const signingKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(signingKey).export({ format: "der", type: "spki" }).subarray(SPKI_BYTES);
  return { ...material, chain: createChainHash(chainKey), signingKey, publicKey, material };
}

/** The row of the current key as a batch reads it; `sealed` is null if this process already knows the key. */
export interface LedgerKeyRow {
  readonly keyUid: string | null;
  readonly keySealed: Buffer | null;
}

const KNOWN_MAX = 8;
const known = new Map<string, ChainHash>();

/** Returns the uid of the key that this process decrypted last; null: none. */
export function knownKeyUid(): string | null {
  return [...known.keys()].at(-1) ?? null;
}

/** Returns the hash for chains; null: the store has no key yet. A process decrypts a key once. Throws SecretBoxError. */
export function chainHashOf(deps: Pick<Deps, "secretBox">, { keyUid, keySealed }: LedgerKeyRow): ChainHash | null {
  if (keyUid === null) return null;
  let chain = known.get(keyUid);
  if (chain === undefined) {
    if (keySealed === null) throw new SecretBoxError("The stored key of the ledger is gone.");
    chain = ledgerKeyOf(keyUid, deps.secretBox.open(keySealed)).chain;
    for (const oldest of [...known.keys()].slice(0, Math.max(0, known.size + 1 - KNOWN_MAX))) known.delete(oldest);
  } else if (knownKeyUid() === keyUid) return chain;
  else known.delete(keyUid);
  known.set(keyUid, chain);
  return chain;
}
