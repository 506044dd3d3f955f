import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { type BinaryRow, readNumber } from "../db/binary-row.ts";
import { type FactsOut, FIELD } from "../ledger/chain/facts-bytes.ts";
import type { FactsHasher, HasherPlan } from "../ledger/verify/pass-allotments.ts";
import type { TreeNode } from "./checkpoint-queries.ts";
import { FACTS_AT, type FactsHashes, type FactsPiece } from "./facts-piece.ts";
import { TILE_LEAVES } from "./merkle.ts";

/** The full tiles of the allotments' tree, made from the facts that a pass over the whole log has read. */
export interface PassedTiles {
  /** Returns whether a stored tile has the hash and the last leaf that the pass found. For use after the pass has ended. */
  isSame(node: TreeNode): boolean;
}

/** Close it after the pass, even after one that failed. */
export interface TileHasher extends FactsHasher, PassedTiles {
  close(): Promise<void>;
}

/** The place of a tile's last leaf in the log. */
interface LeafAt {
  /** Microseconds since 2000. */
  readonly us: number;
  /** 32 hexadecimal digits. */
  readonly uid: string;
}

const EPOCH_US = BigInt(Date.UTC(2000)) * 1_000n;
const UUID_BYTES = 16;
const HASH_BYTES = 32;
/** Facts are sent to the thread in pieces of this size, or of one allotment that is larger. */
const PIECE_BYTES = 262_144;
/** Pieces that wait for the thread (4 MB), beyond which the pass waits. */
const WAITING_MAX = 16;
const THREAD = new URL(`facts-hasher-thread${extname(import.meta.filename)}`, import.meta.url); // .js in a package

/** Creates a hasher that works on a thread of its own: hashing is half of the processor time of a pass. */
export function createFactsHasher(): TileHasher {
  let thread: HasherThread | null = null;
  const lastLeaves: LeafAt[] = [];
  let leaves = 0;
  const out: FactsOut = { bytes: Buffer.from(new ArrayBuffer(PIECE_BYTES)), at: FACTS_AT };
  let used = 0;
  let tiles: Buffer = Buffer.alloc(0);

  function started(): HasherThread {
    if (thread === null) throw new Error("the hasher was not started");
    return thread;
  }

  function sendPiece(): void {
    if (used > 0) started().send({ bytes: out.bytes.buffer, used });
    used = 0;
  }

  return {
    start(plan) {
      thread = startThread(plan);
    },
    room(bytesMax) {
      const size = FACTS_AT + bytesMax;
      if (used + size > out.bytes.length) {
        sendPiece();
        out.bytes = size > PIECE_BYTES ? Buffer.from(new ArrayBuffer(size)) : started().piece();
      }
      out.at = used + FACTS_AT;
      return out;
    },
    add(customer, row) {
      const { bytes, at } = out;
      bytes.writeUInt32LE(customer, used);
      bytes.writeUInt32LE(at - used - FACTS_AT, used + 4);
      used = at;
      if (++leaves % TILE_LEAVES === 0) lastLeaves.push(leafAt(row));
    },
    drain: () => started().drain(),
    async end() {
      sendPiece();
      const hashes = await started().end();
      tiles = Buffer.from(hashes.tiles);
      return Buffer.from(hashes.heads);
    },
    isSame({ n, hash, last }) {
      const [at, leaf] = [Number(n) * HASH_BYTES, lastLeaves[Number(n)]];
      return (
        leaf !== undefined &&
        tiles.subarray(at, at + HASH_BYTES).equals(hash) &&
        last?.uid?.replaceAll("-", "") === leaf.uid &&
        last.at !== null &&
        last.at.epochNanoseconds === (BigInt(leaf.us) + EPOCH_US) * 1_000n
      );
    },
    async close() {
      await thread?.close();
    },
  };
}

interface HasherThread {
  /** Returns an empty piece, most often one that was sent before. */
  piece(): Buffer<ArrayBuffer>;
  /** Passes a piece to the thread, which then owns its bytes. */
  send(piece: FactsPiece): void;
  /** Waits while too many pieces wait. Throws if hashing failed. */
  drain(): Promise<void>;
  end(): Promise<FactsHashes>;
  close(): Promise<unknown>;
}

function startThread(plan: HasherPlan): HasherThread {
  const worker = new Worker(THREAD, { workerData: plan });
  const ended = Promise.withResolvers<FactsHashes>();
  ended.promise.catch(() => {}); // thrown by `drain` or `end`
  const free: Buffer<ArrayBuffer>[] = [];
  let waiting = 0;
  let hashed = Promise.withResolvers<void>();
  worker.on("message", (message: FactsHashes | ArrayBuffer) => {
    if (!(message instanceof ArrayBuffer)) ended.resolve(message);
    else if (message.byteLength === PIECE_BYTES) free.push(Buffer.from(message));
    waiting--;
    hashed.resolve();
    hashed = Promise.withResolvers();
  });
  worker.on("error", ended.reject);
  worker.on("exit", (code) => ended.reject(new Error(`the hashing thread ended with code ${code}`)));
  return {
    piece: () => free.pop() ?? Buffer.from(new ArrayBuffer(PIECE_BYTES)),
    send(piece) {
      waiting++;
      worker.postMessage(piece, [piece.bytes]);
    },
    async drain() {
      while (waiting > WAITING_MAX) await Promise.race([hashed.promise, ended.promise]);
    },
    end() {
      worker.postMessage(null);
      return ended.promise;
    },
    close: () => worker.terminate(),
  };
}

function leafAt(row: BinaryRow): LeafAt {
  const start = row.starts[FIELD.uid] ?? 0;
  return { us: readNumber(row, FIELD.allotted_at), uid: row.bytes.toString("hex", start, start + UUID_BYTES) };
}
