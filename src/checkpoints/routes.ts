import type { Deps } from "../deps.ts";
import type { App } from "../http/app-type.ts";
import { Problem } from "../problems.ts";
import { selectNewestCheckpoint } from "./checkpoint-queries.ts";
import { LEAF_FIELDS } from "./proof.ts";
import { proveAllotment } from "./prove-allotment.ts";
import { checkpointSchema, proofParams, proofSchema } from "./schema.ts";
import { originOf, verifierKey } from "./signed-note.ts";

const tags = ["Proofs"];
const config = { scope: "read" } as const;

/** `GET /point_allotments/uid/:uid/proof` and `GET /ledger/checkpoint` (docs/ledger-proofs.md). */
export function proofRoutes(app: App, deps: Deps): void {
  app.get(
    "/point_allotments/uid/:uid/proof",
    {
      config,
      schema: {
        tags,
        summary: "Prove an allotment",
        description:
          "Proves that an allotment is in the ledger of a signed checkpoint; `pointkeeper verify-proof` checks the proof without the database. " +
          "409 with `Retry-After` until a checkpoint covers the allotment, some seconds after it was made.",
        params: proofParams,
        response: { 200: proofSchema },
      },
    },
    async ({ params: { uid } }) => {
      const { leaf, index, path, checkpoint, publicKey } = await proveAllotment(deps, uid);
      const data = {
        uid,
        leaf,
        leaf_fields: [...LEAF_FIELDS],
        index,
        path: [...path],
        checkpoint,
        public_key: publicKey,
      };
      return { data };
    },
  );
  app.get(
    "/ledger/checkpoint",
    {
      config,
      schema: {
        tags,
        summary: "The newest checkpoint",
        description: "Keep it outside the store: `pointkeeper verify --against` compares the ledger with it.",
        response: { 200: checkpointSchema },
      },
    },
    async () => {
      const row = await selectNewestCheckpoint(deps.db);
      if (row === undefined || row.publicKey === null) throw new Problem("proof_not_ready", { retryAfterS: 10 });
      return { data: { checkpoint: row.note, public_key: verifierKey(originOf(row.keyUid), row.publicKey) } };
    },
  );
}
