import { hash } from "node:crypto";
import { csvLine } from "../exports/csv-line.ts";
import { type CsvImport, DEFAULT_OPTIONS } from "../imports/csv-import.ts";
import type { Columns } from "../imports/read/columns.ts";
import { formatMajor } from "../platforms/money.ts";
import type { TierRule } from "../program/program.ts";
import { formatInstant } from "../time/store-time.ts";
import type { ImportField, ImportKind } from "../wire/import-fields.ts";
import type { Member } from "./member.ts";
import type { MemberFile, MemberFileHead } from "./member-file.ts";
import { tierNamed } from "./member-sums.ts";
import type { ResolvedMember } from "./resolve-members.ts";
import type { Vendor } from "./vendor.ts";

/** A file of another app's members, and how it is read. */
export interface MemberMove {
  readonly file: MemberFile;
  readonly head: MemberFileHead;
  readonly vendor: Vendor;
  readonly columns: Columns;
  /** Whether balances become what the file says; else its points are added. */
  readonly setsBalance: boolean;
  /** Whether members who received points from an earlier file of the app get those of this one as well. */
  readonly again: boolean;
  /** The file counts the orders that were placed before then; null: before it is brought in. */
  readonly asOf: Temporal.Instant | null;
  /** No check drops a member below the app's tier before; of those whose row says it, that counts. Null: only theirs. */
  readonly keepTiersUntil: Temporal.Instant | null;
}

/** The imports that a move consists of, in their order: members first, since the others name them. */
export const MOVE_KINDS = ["customers", "points", "spend", "tiers"] as const satisfies readonly ImportKind[];
export type MoveKind = (typeof MOVE_KINDS)[number];

/** Returns the uid of a move: the same file is the same move. */
export function moveUidOf({
  head: { sha256 },
  vendor: { name },
}: {
  readonly head: Pick<MemberFileHead, "sha256">;
  readonly vendor: Pick<Vendor, "name">;
}): string {
  return uidOf(`move/${name}/${sha256.toString("hex")}`);
}

/** Returns the uid of a move that brings what happened in the other app, or what was spent there. */
export function activityUidOf(kind: "history" | "spend", sha256: Buffer): string {
  return uidOf(`move/${kind}/${sha256.toString("hex")}`);
}

function uidOf(text: string): string {
  const digest = hash("sha256", text);
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What holds for the imports of a move. */
export function moveOptions(move: MemberMove): CsvImport["options"] {
  const { vendor, setsBalance, again, asOf } = move;
  return {
    ...DEFAULT_OPTIONS,
    addsOnly: true,
    setsBalance,
    again,
    asOf,
    move: { uid: moveUidOf(move), source: vendor.title },
  };
}

/** What an import of a move is called. */
export function moveFileName({ vendor, file }: MemberMove, kind: MoveKind): string {
  return `${vendor.title}, ${kind} of ${file.name}`.slice(0, FILE_NAME_MAX);
}

/** The first line of a kind's file. Its last column names the move and is not read: the same content twice would be refused as one file. */
export function moveHeader(kind: MoveKind, move: MemberMove): string {
  return csvLine([...HEADERS[kind], `move ${moveUidOf(move)}`]);
}

/** What a kind's file says of a member, as a line; "": nothing. */
export function moveLine(kind: MoveKind, move: MemberMove, of: LineRules): (resolved: ResolvedMember) => string {
  const cellsOf = LINES[kind](move, of);
  return (resolved) => {
    const cells = cellsOf(resolved);
    return cells === null ? "" : csvLine(cells);
  };
}

const FILE_NAME_MAX = 255;

/** What lines are written by. */
export interface LineRules {
  readonly tiers: readonly TierRule[];
  readonly currency: string;
}

const HEADERS: Readonly<Record<MoveKind, readonly ImportField[]>> = {
  customers: ["id", "email", "name", "birthday", "accepts_marketing"],
  points: ["customer", "points", "expires_at", "earned_at"],
  spend: ["customer", "spent"],
  tiers: ["customer", "tier", "tier_until"],
};

type Line = (resolved: ResolvedMember) => readonly string[] | null;

const timeOr = (at: Temporal.Instant | null) => (at === null ? "" : formatInstant(at));

/** What each kind says of a member; null: nothing. */
const LINES: Readonly<Record<MoveKind, (move: MemberMove, of: LineRules) => Line>> = {
  customers:
    () =>
    ({ member, storefrontId, foundBy }) =>
      foundBy === "nothing" ? [storefrontId, ...profileOf(member)] : null,
  // of 0 points too: whoever is in the file has what came before from the other app
  points:
    () =>
    ({ member: { points, expiresAt, earnedAt }, storefrontId }) => [
      storefrontId,
      String(points),
      timeOr(expiresAt),
      timeOr(earnedAt),
    ],
  spend:
    (_, { currency }) =>
    ({ member: { spentMinor }, storefrontId }) =>
      spentMinor === null || spentMinor === 0n ? null : [storefrontId, formatMajor(spentMinor, currency)],
  tiers:
    ({ keepTiersUntil }, { tiers }) =>
    ({ member: { tier, tierUntil }, storefrontId }) => {
      const rule = tier === null ? undefined : tierNamed(tiers, tier);
      return rule === undefined ? null : [storefrontId, rule.uid, timeOr(tierUntil ?? keepTiersUntil)];
    },
};

function profileOf({ email, name, birthday, acceptsMarketing }: Member): string[] {
  const consent = acceptsMarketing === null ? "" : acceptsMarketing ? "yes" : "no";
  return [email ?? "", name ?? "", birthday ?? "", consent];
}
