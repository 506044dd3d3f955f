import type { Deps } from "../deps.ts";
import { selectRowsAtFault } from "../imports/check/survey-queries.ts";
import { type IssueCode, issueOf, type StoredIssue, storedIssue } from "../imports/issue.ts";
import { hasOtherMoves, type MovedPoints, selectMovedPoints } from "../imports/moved-points-queries.ts";
import { decoderOf } from "../imports/read/encoding.ts";
import { createSplitter, type SplitRow } from "../imports/read/splitter.ts";
import { readProgram } from "../program/read-program.ts";
import { type Member, readMember } from "./member.ts";
import { type MemberFile, type MemberFileHead, UnreadableFileError } from "./member-file.ts";
import { type MemberMove, moveUidOf } from "./move.ts";
import { type ResolvedMember, resolveMembers } from "./resolve-members.ts";
import { textHash } from "./text-hash.ts";

/** Some rows of a file. */
export interface MemberBatch {
  readonly members: readonly ResolvedMember[];
  /** The faults of the other rows, by row. */
  readonly faults: readonly (readonly StoredIssue[])[];
  /** What members of these rows received from earlier moves of any app, whether left out or not. */
  readonly earlier: readonly EarlierPoints[];
}

/** What a row's member received from another move before. */
export interface EarlierPoints {
  readonly storefrontId: string;
  readonly moved: MovedPoints;
}

/**
 * Reads the members of a file in batches, each with the customer here, and the faults of the other rows. One fault is that an earlier move of the
 * same app gave the member points, unless balances are set or the move gives them again. `nonce`: a part of the ids of new members. `checkUid`: the
 * import whose check left rows out; they have no member and no new fault here, also if they are valid by now. A row whose customer it found belongs to that
 * customer, if nobody has its address now. Throws UnreadableFileError.
 */
export async function* readMembers(
  deps: Pick<Deps, "db" | "clock">,
  move: MemberMove,
  { nonce = "", checkUid }: { readonly nonce?: string; readonly checkUid?: string | undefined } = {},
): AsyncGenerator<MemberBatch> {
  const { file, head, vendor, columns } = move;
  const { store, expiration } = await readProgram(deps.db);
  const { timeZone, currency } = store;
  const headerCount = head.header.length;
  const reading = { vendor, columns, headerCount, currency, now: deps.clock.now(), rules: { ...expiration, timeZone } };
  const earlierOf = await earlierReader(deps, move);
  const faultOf = faultFinder(move);
  let n = 0;
  for await (const rows of readMemberRows(file, head)) {
    const read = rows.map((row) => readMember({ ...row, n: ++n }, reading));
    const valid: Member[] = [];
    const faults: (readonly StoredIssue[])[] = [];
    for (const one of read) {
      if ("points" in one) valid.push(one);
      else faults.push(one);
    }
    const leftOut = checkUid === undefined ? NO_ROWS : await selectRowsAtFault(deps.db, checkUid, valid);
    const counted = valid.filter((member) => !leftOut.has(member.n));
    const resolved = await resolveMembers(deps.db, counted, { nonce, moveUid: moveUidOf(move), checkUid });
    const earlier = await earlierOf(resolved);
    const before = earlierIn(move, earlier);
    const members: ResolvedMember[] = [];
    for (const one of resolved) {
      const fault = "member" in one ? faultOf(one, before) : one;
      if (fault !== null) faults.push([fault]);
      else if ("member" in one) members.push(one);
    }
    yield { members, faults, earlier };
  }
}

const NO_ROWS: ReadonlySet<number> = new Set();

/** Returns a function that finds a row's fault in relation to other rows of the file and to earlier moves; null: none. */
function faultFinder({
  setsBalance,
}: MemberMove): (one: ResolvedMember, before: ReadonlyMap<string, bigint>) => StoredIssue | null {
  const seen = new Set<string>();
  const isOfAnother = ownerOfIds();
  return (one, before) => {
    const { member, storefrontId, isOfMerged } = one;
    const points = before.get(storefrontId);
    if (isOfAnother(one)) return storedIssue(member, issueOf("id_of_another", "id", storefrontId));
    // rows of two customers who have become one since are not repeated: whether their balance is set, the posting decides
    const person = isOfMerged ? `@${member.email ?? member.id}` : storefrontId;
    if (seen.has(person)) return storedIssue(member, issueOf("row_repeated", "points", null));
    if (points !== undefined) return storedIssue(member, issueOf(MOVED_BEFORE, "points", `${points}`));
    if (setsBalance) seen.add(person);
    return null;
  };
}

/** The maximum number of remembered ids. In a larger file, a second row with an id is left out only when points are given. */
const IDS_MAX = 2_000_000;

/** Returns a function that returns whether an earlier row gave a new member's id to another e-mail address. */
function ownerOfIds(): (resolved: ResolvedMember) => boolean {
  const owners = new Map<number, number>();
  return ({ member: { id, email }, foundBy }) => {
    if (foundBy !== "nothing" || id === null || email === null) return false;
    const key = textHash(id);
    const owner = textHash(email) | 0; // 32 bits take less memory
    const found = owners.get(key);
    if (found === undefined && owners.size < IDS_MAX) owners.set(key, owner);
    return found !== undefined && found !== owner;
  };
}

/** The fault of a row to whose member an earlier move of the app gave points. */
export const MOVED_BEFORE = "moved_before" satisfies IssueCode;

/** Returns a function that finds what members received from other moves; without another move it does not query. */
async function earlierReader(
  { db }: Pick<Deps, "db">,
  move: MemberMove,
): Promise<(resolved: readonly (ResolvedMember | StoredIssue)[]) => Promise<readonly EarlierPoints[]>> {
  const uid = moveUidOf(move);
  if (!(await hasOtherMoves(db, uid))) return async () => [];
  return async (resolved) => {
    const known = resolved.flatMap((one) => ("member" in one && one.customer !== null ? [one] : []));
    const idOf = new Map(known.map(({ customer, storefrontId }) => [customer?.customerUid, storefrontId]));
    const refs = new Map(
      known.flatMap(({ customer }) => (customer === null ? [] : [[customer.customerUid, customer]])),
    );
    const found = await selectMovedPoints(db, [...refs.values()], uid);
    return found.map((moved) => ({ storefrontId: idOf.get(moved.customerUid) ?? "", moved }));
  };
}

/** Returns, by storefront id, the points because of which a row is left out. */
function earlierIn(
  { vendor, setsBalance, again }: MemberMove,
  earlier: readonly EarlierPoints[],
): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  if (setsBalance || again) return sums;
  for (const { storefrontId, moved } of earlier)
    if (moved.source === vendor.title) sums.set(storefrontId, (sums.get(storefrontId) ?? 0n) + moved.points);
  return sums;
}

const PIECE_ROWS = 1_000;

/** Reads the rows after the header, at most a thousand at a time, in constant memory. Throws UnreadableFileError if the rest is not valid CSV. */
async function* readMemberRows(
  file: MemberFile,
  { encoding, separator }: Pick<MemberFileHead, "encoding" | "separator">,
): AsyncGenerator<readonly SplitRow[]> {
  const decoder = decoderOf(encoding);
  const splitter = createSplitter(separator);
  let waiting: SplitRow[] = [];
  let isHeader = true;
  let line = 1;
  const take = (text: string, isEnd: boolean) => {
    const rows = splitter.push(text, isEnd);
    if (!Array.isArray(rows)) throw new UnreadableFileError(rows.code, rows.line);
    line = rows.at(-1)?.line ?? line;
    waiting.push(...(isHeader ? rows.slice(1) : rows));
    isHeader &&= rows.length === 0;
  };
  const decode = (bytes: Uint8Array | undefined) => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      throw new UnreadableFileError("not_this_encoding", line);
    }
  };
  for await (const piece of file.open()) {
    take(decode(piece), false);
    for (; waiting.length >= PIECE_ROWS; waiting = waiting.slice(PIECE_ROWS)) yield waiting.slice(0, PIECE_ROWS);
  }
  take(decode(undefined), true);
  for (; waiting.length > 0; waiting = waiting.slice(PIECE_ROWS)) yield waiting.slice(0, PIECE_ROWS);
}
