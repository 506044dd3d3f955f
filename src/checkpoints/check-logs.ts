import type { ReadDb } from "../db/pool.ts";
import type { Deps } from "../deps.ts";
import type { LedgerKey } from "../ledger/key/ledger-key.ts";
import { checkTiles } from "./check-tiles.ts";
import { type CheckpointRow, type LeafLog, LOGS, selectNewestCheckpoint, selectNodes } from "./checkpoint-queries.ts";
import type { PassedTiles } from "./create-facts-hasher.ts";
import { rootOf, TILE_LEAVES } from "./merkle.ts";
import { LOG_END, openTree, TreeBroken } from "./open-tree.ts";
import { type Checkpoint, readCheckpoint, type TreeHead } from "./signed-note.ts";

/** The check that `verify` makes of the checkpoints. */
export const CHECKPOINT_CHECK = {
  name: "checkpoints",
  says: "every allotment and audit entry that a checkpoint covers exists and is unchanged",
};

export interface LogsResult {
  /** What is wrong, in sentences. */
  readonly faults: readonly string[];
  /** How much the newest checkpoint covers; null: none was closed yet. */
  readonly covered: { readonly allotments: bigint; readonly entries: bigint; readonly time: string } | null;
}

const FAULTS_MAX = 1_000;
const TILE = BigInt(TILE_LEAVES);
const BOTTOM = 8;
const BLOCK = 256n;

/**
 * Recomputes both logs from their rows, all at one moment, and compares them with the newest checkpoint, whose signature must be valid, and with the
 * checkpoints that were kept outside (`against`). `passed`: tiles that a pass over all allotments has made. Without `key`, where this process cannot
 * open it, only the checkpoints kept outside are compared.
 */
export async function checkLogs(
  deps: { readonly db: Pick<Deps["db"], "reading"> },
  key: LedgerKey | null,
  against: readonly Checkpoint[] = [],
  passed?: PassedTiles,
): Promise<LogsResult> {
  return deps.db.reading(async (db) => {
    const row = await selectNewestCheckpoint(db);
    const newest = row === undefined || key === null ? null : readNewest(row, key);
    const faults: string[] = [];
    if (row !== undefined && key !== null && newest === null)
      faults.push(`the signature of checkpoint ${row.n}, the newest, does not hold`);
    for (const log of [LOGS.allotments, LOGS.audit])
      faults.push(
        ...(await checkLog(db, log, newest?.[log.name] ?? null, {
          against,
          isEnd: key !== null,
          passed: log === LOGS.allotments ? passed : undefined,
        })),
      );
    const covered =
      newest === null ? null : { allotments: newest.allotments.size, entries: newest.audit.size, time: newest.time };
    return { faults: faults.slice(0, FAULTS_MAX), covered };
  });
}

/**
 * A checkpoint signed with an older key counts only while the customers are linked again after `secrets reset`. Changing rows alone cannot cause that
 * state.
 */
function readNewest({ keyUid, note, publicKey }: CheckpointRow, key: LedgerKey): Checkpoint | null {
  if (keyUid === key.uid) return readCheckpoint(note, key.publicKey);
  return key.isLinked || publicKey === null ? null : readCheckpoint(note, publicKey);
}

async function checkLog(
  db: ReadDb,
  log: LeafLog,
  newest: TreeHead | null,
  {
    against,
    isEnd,
    passed,
  }: {
    readonly against: readonly Checkpoint[];
    readonly isEnd: boolean;
    readonly passed: PassedTiles | undefined;
  },
): Promise<string[]> {
  const others = against.map((checkpoint) => ({
    ...checkpoint[log.name],
    name: `the checkpoint of ${checkpoint.time}`,
  }));
  const heads = [...(newest === null ? [] : [{ ...newest, name: "the newest checkpoint" }]), ...others];
  const tiles = heads.reduce((most, { size }) => (size > most ? size : most), 0n) / TILE;
  const found = await checkTiles(db, log, { from: 0n, to: tiles, max: FAULTS_MAX, passed });
  found.push(...(await checkParents(db, log, tiles)));
  const [beyond] = isEnd ? await selectNodes(db, log, { height: BOTTOM, from: tiles, to: tiles + 1n }) : [];
  if (beyond !== undefined)
    found.push(`${log.name}: the stored tree goes beyond the newest checkpoint: newer checkpoints were removed`);
  for (const { size, root, name } of heads) {
    const now = await rootAt(db, log, size);
    if (typeof now === "string")
      found.push(`${log.name}: ${name} covers ${size}, and something it covers is gone: ${now}`);
    else if (!now.equals(root)) found.push(`${log.name}: the first ${size} are not what ${name} signed`);
  }
  return found;
}

/** Whether each larger subtree has the hash that its parts give. */
async function checkParents(db: ReadDb, log: LeafLog, tiles: bigint): Promise<string[]> {
  const found: string[] = [];
  for (let height = BOTTOM, count = tiles; count >= BLOCK; height += BOTTOM, count /= BLOCK) {
    for (let n = 0n; n < count / BLOCK; n++) {
      const parts = await selectNodes(db, log, { height, from: n * BLOCK, to: (n + 1n) * BLOCK });
      const [parent] = await selectNodes(db, log, { height: height + BOTTOM, from: n, to: n + 1n });
      if (parent === undefined || !rootOf(parts.map(({ hash }) => hash)).equals(parent.hash))
        found.push(`${log.name}: subtree ${n} of height ${height + BOTTOM} is not what its parts make`);
    }
  }
  return found;
}

/** Returns the root over the first rows of a log, or a sentence if there are fewer rows. */
async function rootAt(db: ReadDb, log: LeafLog, size: bigint): Promise<Buffer | string> {
  try {
    return await openTree(db, log, LOG_END[log.name]).rootOver(0n, size);
  } catch (error) {
    if (error instanceof TreeBroken) return error.message;
    throw error;
  }
}
