import { text } from "node:stream/consumers";
import { type AllotmentProof, checkProof } from "../checkpoints/proof.ts";
import { UsageError } from "../config.ts";
import type { Given } from "./command-line.ts";
import { print } from "./output.ts";
import { readNamedNote } from "./read-named-note.ts";

/**
 * `pointkeeper verify-proof <file|-> [--key <public key>]`: checks the response of `GET .../proof` without a database; returns 1 if it proves
 * nothing. Without `--key` a signature of any key is accepted, which the output says.
 */
export async function verifyProof(given: Given): Promise<number> {
  const { options } = given;
  const [path = ""] = given.operands;
  const proof = proofOf(path === "-" ? await text(process.stdin) : await readNamedNote(path, "The proof"));
  const key = options.get("key") ?? null;
  const found = checkProof(proof, key);
  if (typeof found === "string") {
    print(given, { json: { ok: false, found }, text: [`FAIL ${found}`] });
    return 1;
  }
  const lines = [
    `ok   allotment ${proof.index} of ${found.allotments.size}: ${proof.leaf}`,
    `signed at ${found.time} by ${proof.publicKey}`,
    ...(key === null ? ["note the key is the proof's own: give the store's with --key"] : []),
  ];
  const json = {
    ok: true,
    index: Number(proof.index),
    size: Number(found.allotments.size),
    leaf: proof.leaf,
    signed_at: found.time,
    public_key: proof.publicKey,
    is_key_given: key !== null,
  };
  print(given, { json, text: lines });
  return 0;
}

/** Reads the answer, or its `data` alone. */
function proofOf(given: string): AllotmentProof {
  try {
    const document: unknown = JSON.parse(given);
    const data = fieldsOf(fieldsOf(document)["data"] ?? document);
    const { leaf, index, path, checkpoint, public_key: publicKey } = data;
    const isWhole =
      typeof leaf === "string" &&
      Number.isSafeInteger(index) &&
      Array.isArray(path) &&
      path.every((hash) => typeof hash === "string") &&
      typeof checkpoint === "string" &&
      typeof publicKey === "string";
    if (isWhole) return { leaf, index: BigInt(Number(index)), path, checkpoint, publicKey };
  } catch {
    // reported below
  }
  throw new UsageError(
    "Expected the answer of GET .../point_allotments/uid/<uid>/proof, JSON with leaf, index, path, checkpoint, public_key.",
  );
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
