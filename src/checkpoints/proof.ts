import { leafHash, rootFromPath } from "./merkle.ts";
import { type Checkpoint, readCheckpoint, readVerifierKey } from "./signed-note.ts";

/** Everything needed to prove, without the database, that an allotment is in the ledger of a signed checkpoint. */
export interface AllotmentProof {
  /** The allotment's facts, a JSON array: the text that is hashed. */
  readonly leaf: string;
  readonly index: bigint;
  /** The hashes of the path from the leaf up to the root, as base64. */
  readonly path: readonly string[];
  /** The signed note. */
  readonly checkpoint: string;
  /** The public key of the signer, in the format of `verifierKey`. */
  readonly publicKey: string;
}

/** The fields of a leaf, in their order. */
export const LEAF_FIELDS = [
  "kind",
  "point_balance_uid",
  "version",
  "uid",
  "allotted_at",
  "type",
  "point_value",
  "balance_after",
  "source_key",
  "object",
  "parent",
  "action",
  "app_reference",
  "allotment_cascade",
  "origin",
  "reason_type",
  "extends_expiry",
  "program_version",
  "note_digest",
] as const;

const PATH_MAX = 64;

/** Returns the checkpoint that a proof leads to, or a sentence that says why it proves nothing. `trusted`: only this key's signature is accepted. */
export function checkProof(
  { leaf, index, path, checkpoint: note, publicKey }: AllotmentProof,
  trusted: string | null,
): Checkpoint | string {
  if (trusted !== null && trusted.trim() !== publicKey.trim())
    return "the proof is signed by another key than the given one";
  const key = readVerifierKey(publicKey);
  if (key === null) return "the public key is not one";
  const checkpoint = readCheckpoint(note, key.publicKey);
  if (checkpoint === null || checkpoint.origin !== key.origin) return "the signature of the checkpoint does not hold";
  if (path.length > PATH_MAX) return "the path is too long";
  const hashes = path.map((text) => Buffer.from(text, "base64"));
  const { size, root } = checkpoint.allotments;
  const found = rootFromPath(leafHash(leaf), { index, size, path: hashes });
  return found?.equals(root) === true ? checkpoint : "the allotment is not in the ledger that the checkpoint signed";
}
