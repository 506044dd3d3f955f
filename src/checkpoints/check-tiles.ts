import type { ReadDb } from "../db/pool.ts";
import { formatInstant } from "../time/store-time.ts";
import {
  isBehind,
  type LeafLog,
  type LeafPlace,
  selectNodes,
  streamLeaves,
  type TreeNode,
} from "./checkpoint-queries.ts";
import type { PassedTiles } from "./create-facts-hasher.ts";
import { createRange, leafHash, TILE_LEAVES } from "./merkle.ts";

const BOTTOM = 8;
const BLOCK = 256n;

/**
 * Hashes the tiles `from` to before `to` again, from the rows between their ends. What was changed, added or taken away is found in its own tile.
 * Returns what is wrong in sentences, at most `max`. The rows of tiles that a pass over the whole log has made (`passed`) are read only where the
 * stored tile differs.
 */
export async function checkTiles(
  db: ReadDb,
  log: LeafLog,
  {
    from,
    to,
    max,
    passed,
  }: { readonly from: bigint; readonly to: bigint; readonly max: number; readonly passed?: PassedTiles | undefined },
): Promise<string[]> {
  const found: string[] = [];
  for (let first = from; first < to && found.length < max; first += BLOCK) {
    const end = first + BLOCK < to ? first + BLOCK : to;
    const [before] = first === 0n ? [] : await selectNodes(db, log, { height: BOTTOM, from: first - 1n, to: first });
    const nodes = await selectNodes(db, log, { height: BOTTOM, from: first, to: end });
    if (BigInt(nodes.length) !== end - first || (first > 0n && before === undefined))
      return [...found, `${log.name}: some of the tiles ${first} to ${end - 1n} are no longer stored`];
    if (passed !== undefined && nodes.every((node) => passed.isSame(node))) continue;
    found.push(...(await checkBlock(db, log, before?.last ?? null, nodes)));
  }
  return found.slice(0, max);
}

async function checkBlock(
  db: ReadDb,
  log: LeafLog,
  from: LeafPlace | null,
  nodes: readonly TreeNode[],
): Promise<string[]> {
  const found: string[] = [];
  const last = nodes.at(-1)?.last;
  const settled = last?.at ?? last?.id;
  if (last === undefined || last === null || settled === undefined || settled === null) return found;
  let at = 0;
  let range = createRange();
  let begin = from;
  const endTile = () => {
    const node = nodes[at];
    if (node !== undefined && (range.count() !== BigInt(TILE_LEAVES) || !range.root().equals(node.hash)))
      found.push(`${log.name}: ${oddTile(node, range.count(), begin)}`);
    begin = node?.last ?? null;
    range = createRange();
    at++;
  };
  for await (const leaves of streamLeaves(db, log, { from, settled })) {
    for (const leaf of leaves) {
      if (isBehind(leaf, last)) break;
      while (at < nodes.length - 1 && isBehind(leaf, nodes[at]?.last ?? leaf)) endTile();
      range.append(leafHash(leaf.text));
    }
  }
  while (at < nodes.length) endTile();
  return found;
}

function oddTile({ n, last }: TreeNode, count: bigint, begin: LeafPlace | null): string {
  const first = n * BigInt(TILE_LEAVES);
  const missing = BigInt(TILE_LEAVES) - count;
  const what =
    missing === 0n ? "is not what was signed" : missing > 0n ? `lacks ${missing}` : `has ${-missing} that were added`;
  return `one of the ${TILE_LEAVES} from number ${first} on, ${spanText(begin, last)}, ${what}`;
}

function spanText(begin: LeafPlace | null, last: LeafPlace | null): string {
  if (last?.at == null) return `entries after ${begin?.id ?? 0n} up to ${last?.id ?? "?"}`;
  return `allotted after ${begin?.at == null ? "the start" : formatInstant(begin.at)} up to ${formatInstant(last.at)}`;
}
