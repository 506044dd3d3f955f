import type { Queryable } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import { Problem } from "../problems.ts";
import { type CheckpointRow, findTile, LOGS, selectNewestCheckpoint } from "./checkpoint-queries.ts";
import { TILE_LEAVES } from "./merkle.ts";
import { LOG_END, openTree, TreeBroken } from "./open-tree.ts";
import { type AllotmentProof, checkProof } from "./proof.ts";
import { readCheckpoint, verifierKey } from "./signed-note.ts";

const TILE = BigInt(TILE_LEAVES);
const RETRY_S = 10;

const FIND = `select a.allotted_at as "allottedAt"
from allotment a
where a.uid = $1`;

/**
 * Returns a proof that an allotment is in the ledger of the newest signed checkpoint. Throws `not_found`; `proof_not_ready` if no
 * checkpoint covers it yet, which takes a few seconds; and `ledger_altered` if the ledger is not the one that was signed.
 */
export async function proveAllotment(deps: Pick<Deps, "db">, uid: string): Promise<AllotmentProof> {
  return deps.db.snapshot(async (tx) => {
    const [found] = await tx.query<{ allottedAt: Temporal.Instant }>(FIND, [uid]);
    if (found === undefined) throw new Problem("not_found");
    const row = await selectNewestCheckpoint(tx);
    if (row === undefined) throw new Problem("proof_not_ready", { retryAfterS: RETRY_S });
    try {
      return await prove(tx, row, { uid, allottedAt: found.allottedAt });
    } catch (error) {
      if (error instanceof TreeBroken) throw new Problem("ledger_altered");
      throw error;
    }
  });
}

async function prove(
  queryable: Queryable,
  { note, publicKey }: CheckpointRow,
  { uid, allottedAt }: { readonly uid: string; readonly allottedAt: Temporal.Instant },
): Promise<AllotmentProof> {
  const checkpoint = publicKey === null ? null : readCheckpoint(note, publicKey);
  if (checkpoint === null || publicKey === null) throw new Problem("ledger_altered");
  const { size } = checkpoint.allotments;
  const tree = openTree(queryable, LOGS.allotments, LOG_END.allotments);
  const tile = (await findTile(queryable, allottedAt, uid)) ?? size / TILE;
  const leaves = await tree.leavesOf(tile);
  const at = leaves.findIndex(({ place }) => place.uid === uid);
  const leaf = leaves[at];
  const index = tile * TILE + BigInt(at);
  if (leaf === undefined || index >= size) throw new Problem("proof_not_ready", { retryAfterS: RETRY_S });
  const path = (await tree.pathOf(index, size)).map((hash) => hash.toString("base64"));
  const proof = {
    leaf: leaf.text,
    index,
    path,
    checkpoint: note,
    publicKey: verifierKey(checkpoint.origin, publicKey),
  };
  if (typeof checkProof(proof, null) === "string") throw new Problem("ledger_altered");
  return proof;
}
