import { Type } from "typebox";
import { BigInteger } from "../http/big-integer.ts";

export const proofParams = Type.Object({
  uid: Type.String({ format: "uuid", expected: "the id of an allotment", description: "Id of the allotment." }),
});

const checkpointText = Type.String({
  description:
    "A signed note (C2SP tlog-checkpoint): the origin, how many allotments it covers, the root of their tree (RFC 6962, SHA-256), then " +
    "the same of the audit log and the time; an Ed25519 signature.",
});
const publicKey = Type.String({ description: "`<origin>+<id>+<base64>`, the public key of the store's ledger." });

export const proofSchema = Type.Object(
  {
    data: Type.Object({
      uid: Type.String(),
      leaf: Type.String({
        description:
          "The allotment's facts, a JSON array: the exact text that is hashed. `leaf_fields` names its elements.",
      }),
      leaf_fields: Type.Array(Type.String()),
      index: BigInteger({ description: "Which leaf of the tree it is, from 0." }),
      path: Type.Array(Type.String(), {
        description: "Base64 of the hashes beside the path from the leaf up to the root (RFC 6962, 2.1.1).",
      }),
      checkpoint: checkpointText,
      public_key: publicKey,
    }),
  },
  { title: "PointAllotmentProof" },
);

export const checkpointSchema = Type.Object(
  { data: Type.Object({ checkpoint: checkpointText, public_key: publicKey }) },
  { title: "LedgerCheckpoint" },
);
