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
  /** Whether balances are set to the file's values; otherwise its points are added. */
  readonly setsBalance: boolean;
  /** Whether members who received points from an earlier file of the app also receive those of this one. */
  readonly again: boolean;
  /** The file includes the orders placed before this time; null: before it is imported. */
  readonly asOf: Temporal.Instant | null;
  /** When the file was uploaded, or the command began with it: customers may have been merged since. */
  readonly uploadedAt: Temporal.Instant;
  /** No check lowers a member's tier before this time; a row's own date takes precedence. Null: only the rows' dates. */
  readonly keepTiersUntil: Temporal.Instant | null;
}

/** The imports of a move in their order: members first, since the others refer to them. */
export const MOVE_KINDS = ["customers", "points", "spend", "tiers"] as const satisfies readonly ImportKind[];
export type MoveKind = (typeof MOVE_KINDS)[number];

/** Whether a file has a column of a kind: without one it has no rows of it. */
export function hasColumnOf({ columns }: Pick<MemberMove, "columns">, kind: MoveKind): boolean {
  if (kind === "spend") return columns.spent !== undefined;
  return kind !== "tiers" || columns.tier !== undefined;
}

/** A part of a move was not imported: its check could not read it. */
export class PartNotImportedError extends Error {
  readonly part: CsvImport;

  constructor(part: CsvImport) {
    super(`${part.kind} of ${part.fileName} were not imported: ${part.error ?? part.state}`);
    this.part = part;
  }
}

/** A part of a move can no longer be undone. */
export class PartNotUndoneError extends Error {
  readonly part: CsvImport;

  constructor(part: CsvImport) {
    super(`${part.kind} of ${part.fileName} can no longer be undone`);
    this.part = part;
  }
}

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

/** Returns the uid of a move of the other app's history, or of what was spent there. */
export function activityUidOf(kind: "history" | "spend", sha256: Buffer): string {
  return uidOf(`move/${kind}/${sha256.toString("hex")}`);
}

function uidOf(text: string): string {
  const digest = hash("sha256", text);
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

export function moveOptions(move: MemberMove): CsvImport["options"] {
  const { vendor, setsBalance, again, asOf, uploadedAt } = move;
  return {
    ...DEFAULT_OPTIONS,
    addsOnly: true,
    setsBalance,
    again,
    asOf,
    move: { uid: moveUidOf(move), source: vendor.title, uploadedAt },
  };
}

/** The name of the imports of a move. What each of them imports is shown beside it, in the reader's language. */
export function moveFileName({ vendor, file }: Pick<MemberMove, "vendor" | "file">): string {
  const app = ` (${vendor.title})`;
  return file.name.slice(0, FILE_NAME_MAX - app.length) + app;
}

/**
 * Returns the header of a kind's file. Its last column names the move and is not read; without it, files with the same content would be refused as
 * duplicates.
 */
export function moveHeader(kind: MoveKind, move: MemberMove): string {
  return csvLine([...HEADERS[kind], `move ${moveUidOf(move)}`]);
}

/** Returns a member's line in a kind's file; "": none. */
export function moveLine(kind: MoveKind, move: MemberMove, of: LineRules): (resolved: ResolvedMember) => string {
  const cellsOf = LINES[kind](move, of);
  return (resolved) => {
    const cells = cellsOf(resolved);
    return cells === null ? "" : csvLine(cells);
  };
}

const FILE_NAME_MAX = 255;

/** The rules for writing lines. */
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

/** Returns a member's cells for each kind; null: none. */
const LINES: Readonly<Record<MoveKind, (move: MemberMove, of: LineRules) => Line>> = {
  customers:
    () =>
    ({ member, storefrontId, foundBy }) =>
      foundBy === "nothing" ? [storefrontId, ...profileOf(member)] : null,
  // also for 0 points: this records that the member came from the other app
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
