import { adaptiveBatchSize } from "../db/backpressure.ts";
import type { Deps } from "../deps.ts";
import type { LedgerKey } from "../ledger/key/ledger-key.ts";
import { readLedgerKey } from "../ledger/key/ledger-key-queries.ts";
import { checkLedger, type LedgerFault } from "../ledger/verify/check-ledger.ts";
import type { LedgerCheck } from "../ledger/verify/ledger-checks.ts";
import { checkTiles } from "./check-tiles.ts";
import { checkTogether } from "./check-together.ts";
import { LOGS, selectNewestCheckpoint } from "./checkpoint-queries.ts";
import { TILE_LEAVES } from "./merkle.ts";
import {
  addBreaches,
  advanceSlice,
  claimSlice,
  readSelfCheck,
  returnSlice,
  type SelfCheckTurn,
} from "./self-check-queries.ts";

const BUCKETS = 256;
const PAUSE_S = 50;
/** The intended time of a slice; if a slice took more or less, the next one gets fewer or more buckets. */
const SLICE_MS = { quiet: 4_000, busy: 1_000 };
const TILES_MS = { quiet: 3_000, busy: 500 };
const TILES_A_STEP = 32n;
const FOUND_MAX = 100;

type SliceDeps = Pick<Deps, "db" | "log" | "secretBox" | "postings">;

/**
 * Checks the next slice of the store: invariants and chains of some buckets, and some tiles of the checkpoints' trees. It runs once a minute on one
 * node, with smaller slices while requests are posting; when both parts are complete, the checks follow that read the whole store, and the next pass
 * begins. `more` are the checks of features above the ledger. Breaches are stored, logged and shown, and stop nothing. Returns what was found.
 */
export async function checkSlice(deps: SliceDeps, more: readonly LedgerCheck[]): Promise<readonly string[]> {
  const { checkedAt } = await readSelfCheck(deps.db);
  const turn = await claimSlice(deps.db, PAUSE_S);
  if (turn === undefined) return [];
  try {
    return await checkClaimed(deps, more, turn);
  } catch (error) {
    await returnSlice(deps.db, checkedAt).catch(() => {}); // the database may be away
    throw error;
  }
}

async function checkClaimed(
  deps: SliceDeps,
  more: readonly LedgerCheck[],
  turn: SelfCheckTurn,
): Promise<readonly string[]> {
  const { key, lost } = await openKey(deps);
  const startedMs = performance.now();
  const last = Math.min(BUCKETS, turn.nextBucket + turn.bucketsASlice);
  const of = { key, more: more.filter(({ readsWholeStore }) => readsWholeStore !== true) };
  const found = turn.nextBucket === BUCKETS ? [] : await checkBuckets(deps, of, [turn.nextBucket, last - 1]);
  const tookMs = performance.now() - startedMs;
  const tiles = await checkSomeTiles(deps, turn.nextTile);
  const isPassOver = last === BUCKETS && tiles.isEnd;
  const together = isPassOver
    ? await checkTogether(
        deps.db,
        more.filter(({ readsWholeStore }) => readsWholeStore === true),
      )
    : [];
  const all = [...lost, ...found, ...tiles.found, ...together].slice(0, FOUND_MAX);
  await addBreaches(deps.db, all);
  const size = nextSize(turn.bucketsASlice, tookMs, adaptiveBatchSize(deps, SLICE_MS));
  await advanceSlice(deps.db, isPassOver ? null : { bucket: last, tile: tiles.next }, size);
  if (all.length > 0)
    deps.log.error(
      { found: all },
      "the ledger or a setting does not hold: rows were changed by hand, see docs/ledger-proofs.md",
    );
  return all;
}

async function openKey(
  deps: Pick<Deps, "db" | "secretBox">,
): Promise<{ readonly key: LedgerKey | null; readonly lost: readonly string[] }> {
  try {
    const key = await readLedgerKey(deps.db, deps);
    return { key, lost: key === null ? ["the key of the ledger is gone"] : [] };
  } catch (error) {
    return { key: null, lost: [error instanceof Error ? error.message : String(error)] };
  }
}

async function checkBuckets(
  deps: Pick<Deps, "db">,
  of: { readonly key: LedgerKey | null; readonly more: readonly LedgerCheck[] },
  range: readonly [first: number, last: number],
): Promise<string[]> {
  const found: string[] = [];
  const onFault = ({ check, customerUid, storefrontId, found: what }: LedgerFault) => {
    if (found.length < FOUND_MAX) found.push(`${check}: customer ${storefrontId ?? "?"} (${customerUid}): ${what}`);
  };
  await checkLedger(deps.db, { ...of, range, onFault, isBesideRequests: true });
  return found;
}

interface TilesChecked {
  readonly found: readonly string[];
  readonly next: bigint;
  readonly isEnd: boolean;
}

/** Checks the allotments' tiles first, some at a time; at their end, the whole audit log. */
async function checkSomeTiles(deps: SliceDeps, first: bigint): Promise<TilesChecked> {
  const { db } = deps;
  const newest = await selectNewestCheckpoint(db);
  const [, size = "0", , audit = "audit 0"] = newest?.note.split("\n") ?? [];
  const tiles = BigInt(/^\d+$/.test(size) ? size : 0) / BigInt(TILE_LEAVES);
  const found: string[] = [];
  let next = first;
  const endsMs = performance.now() + adaptiveBatchSize(deps, TILES_MS);
  while (next < tiles && performance.now() < endsMs) {
    const to = next + TILES_A_STEP < tiles ? next + TILES_A_STEP : tiles;
    const from = next;
    found.push(...(await db.reading((reading) => checkTiles(reading, LOGS.allotments, { from, to, max: FOUND_MAX }))));
    next = to;
  }
  if (next < tiles) return { found, next, isEnd: false };
  const entries = BigInt(/^audit (\d+) /.exec(audit)?.[1] ?? 0) / BigInt(TILE_LEAVES);
  const all = { from: 0n, to: entries, max: FOUND_MAX };
  found.push(...(await db.reading((reading) => checkTiles(reading, LOGS.audit, all))));
  return { found, next, isEnd: true };
}

function nextSize(size: number, tookMs: number, sliceMs: number): number {
  if (tookMs > sliceMs) return Math.max(1, Math.floor(size / 2));
  return tookMs < sliceMs / 4 ? Math.min(BUCKETS, size * 2) : size;
}
