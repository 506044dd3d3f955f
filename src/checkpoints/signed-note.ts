import { createPublicKey, hash, type KeyObject, sign, verify } from "node:crypto";

/** The sizes and roots of both logs at a moment. */
export interface TreeHead {
  readonly size: bigint;
  readonly root: Buffer;
}

/** The content of a checkpoint. */
export interface Checkpoint {
  /** The signer, which is also the name of the key. */
  readonly origin: string;
  readonly allotments: TreeHead;
  readonly audit: TreeHead;
  /** The store's clock, as `formatInstant` writes it. */
  readonly time: string;
}

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const PUBLIC_KEY_BYTES = 32;
const SPKI_ED25519 = Buffer.from("302a300506032b6570032100", "hex");
/** Our notes have about a quarter of this length. */
const NOTE_LENGTH_MAX = 4_096;

/** Returns the name of a store's key, which identifies its notes. */
export function originOf(keyUid: string): string {
  return `pointkeeper/${keyUid}`;
}

function keyId(origin: string, publicKey: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(`${origin}\n`), Buffer.of(ED25519), publicKey]);
  return hash("sha256", named, "buffer").subarray(0, KEY_ID_BYTES);
}

/** Returns a public key as one line (C2SP signed-note): `<name>+<id>+<base64>`. */
export function verifierKey(origin: string, publicKey: Uint8Array): string {
  const typed = Buffer.concat([Buffer.of(ED25519), publicKey]).toString("base64");
  return `${origin}+${keyId(origin, publicKey).toString("hex")}+${typed}`;
}

/** Parses a public key in the format of `verifierKey`; null if the text is invalid. */
export function readVerifierKey(text: string): { readonly origin: string; readonly publicKey: Buffer } | null {
  const [origin = "", id, ...rest] = text.trim().split("+");
  const typed = Buffer.from(rest.join("+"), "base64");
  const publicKey = typed.subarray(1);
  if (typed[0] !== ED25519 || publicKey.length !== PUBLIC_KEY_BYTES) return null;
  return keyId(origin, publicKey).toString("hex") === id ? { origin, publicKey } : null;
}

function noteText({ origin, allotments, audit, time }: Checkpoint): string {
  return [
    origin,
    allotments.size,
    allotments.root.toString("base64"),
    `audit ${audit.size} ${audit.root.toString("base64")}`,
    `time ${time}`,
    "",
  ].join("\n");
}

/** Returns a checkpoint as a signed note (C2SP tlog-checkpoint): the tree of allotments; the tree of the audit log and the time are extensions. */
export function signCheckpoint(
  checkpoint: Checkpoint,
  { signingKey, publicKey }: { readonly signingKey: KeyObject; readonly publicKey: Uint8Array },
): string {
  const text = noteText(checkpoint);
  const signature = sign(null, Buffer.from(text, "utf8"), signingKey);
  const line = Buffer.concat([keyId(checkpoint.origin, publicKey), signature]).toString("base64");
  return `${text}\n— ${checkpoint.origin} ${line}\n`;
}

const NOTE =
  /^(?<text>(?<origin>\S+)\n(?<size>\d{1,18})\n(?<root>\S{44})\naudit (?<entries>\d{1,18}) (?<auditRoot>\S{44})\ntime (?<time>\S+)\n)\n— (?<name>\S+) (?<signature>\S+)\n$/u;

/** Reads a note whose signature is valid for a public key; null if it is not a checkpoint, or was signed with another key. */
export function readCheckpoint(note: string, publicKey: Uint8Array): Checkpoint | null {
  const groups = note.length > NOTE_LENGTH_MAX ? undefined : NOTE.exec(note)?.groups;
  if (groups === undefined) return null;
  const {
    text = "",
    origin = "",
    size = "",
    root = "",
    entries = "",
    auditRoot = "",
    time = "",
    name,
    signature,
  } = groups;
  const signed = Buffer.from(signature ?? "", "base64");
  if (name !== origin || !signed.subarray(0, KEY_ID_BYTES).equals(keyId(origin, publicKey))) return null;
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, publicKey]), format: "der", type: "spki" });
  if (!verify(null, Buffer.from(text, "utf8"), key, signed.subarray(KEY_ID_BYTES))) return null;
  return {
    origin,
    allotments: { size: BigInt(size), root: Buffer.from(root, "base64") },
    audit: { size: BigInt(entries), root: Buffer.from(auditRoot, "base64") },
    time,
  };
}
