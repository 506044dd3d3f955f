import { parentPort, workerData } from "node:worker_threads";
import { createChainAdvance, HEAD_BYTES } from "../ledger/chain/chain.ts";
import type { HasherPlan } from "../ledger/verify/pass-allotments.ts";
import { FACTS_AT, type FactsPiece } from "./facts-piece.ts";
import { createTileWalk } from "./merkle.ts";

// The thread of `create-facts-hasher.ts`. It receives pieces in order; null is the end.
const { customers, chainKey }: HasherPlan = workerData;
const advance = chainKey === null ? null : createChainAdvance(chainKey);
const heads = Buffer.alloc(chainKey === null ? 0 : customers * HEAD_BYTES); // `CHAIN_START` each
const walk = createTileWalk();
const tiles: Buffer[] = [];

function hashPiece({ bytes, used }: FactsPiece): void {
  const piece = Buffer.from(bytes);
  for (let at = 0; at < used; ) {
    const start = at + FACTS_AT;
    const end = start + piece.readUInt32LE(at + 4);
    const facts = piece.subarray(start, end);
    advance?.(heads, piece.readUInt32LE(at) * HEAD_BYTES, facts);
    const tile = walk.append(facts);
    if (tile !== null) tiles.push(tile);
    at = end;
  }
}

parentPort?.on("message", (piece: FactsPiece | null) => {
  if (piece === null) {
    parentPort?.postMessage({ heads, tiles: Buffer.concat(tiles) });
    return;
  }
  hashPiece(piece);
  parentPort?.postMessage(piece.bytes, [piece.bytes]);
});
