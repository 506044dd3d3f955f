import { hash } from "node:crypto";
import { csvLine } from "../exports/csv-line.ts";
import { type CsvImport, DEFAULT_OPTIONS } from "../imports/csv-import.ts";
import type { TierRule } from "../program/program.ts";
import { formatInstant } from "../time/store-time.ts";
import type { ImportField, ImportKind } from "../wire/import-fields.ts";
import type { Member, MemberColumns } from "./member.ts";
import type { MemberFile, MemberFileHead } from "./member-file.ts";
import { tierNamed } from "./member-sums.ts";
import type { ResolvedMember } from "./resolve-members.ts";
import type { Vendor } from "./vendor.ts";

/** A file of another app's members, and how it is read. */
export interface MemberMove {
  readonly file: MemberFile;
  readonly head: MemberFileHead;
  readonly vendor: Vendor;
  readonly columns: MemberColumns;
  /** Whether balances become what the file says; else its points are added. */
  readonly setsBalance: boolean;
}

/** The imports that a move consists of, in their order: members first, since the others name them. */
export const MOVE_KINDS = ["customers", "points", "tiers"] as const satisfies readonly ImportKind[];
export type MoveKind = (typeof MOVE_KINDS)[number];

/** Returns the uid of a move: the same file is the same move. */
export function moveUidOf({ head, vendor }: Pick<MemberMove, "head" | "vendor">): string {
  const digest = hash("sha256", `move/${vendor.name}/${head.sha256.toString("hex")}`);
  return digest.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/** What holds for the imports of a move. */
export function moveOptions(move: MemberMove): CsvImport["options"] {
  const { vendor, setsBalance } = move;
  return { ...DEFAULT_OPTIONS, addsOnly: true, setsBalance, move: { uid: moveUidOf(move), source: vendor.title } };
}

/** What an import of a move is called. */
export function moveFileName({ vendor, file }: MemberMove, kind: MoveKind): string {
  return `${vendor.title}, ${kind} of ${file.name}`.slice(0, FILE_NAME_MAX);
}

/** The first line of a kind's file. */
export function moveHeader(kind: MoveKind): string {
  return csvLine(HEADERS[kind]);
}

/** What a kind's file says of a member, as a line; "": nothing. */
export function moveLine(
  kind: MoveKind,
  move: MemberMove,
  rules: readonly TierRule[],
): (resolved: ResolvedMember) => string {
  const cellsOf = LINES[kind](move, rules);
  return (resolved) => {
    const cells = cellsOf(resolved);
    return cells === null ? "" : csvLine(cells);
  };
}

const FILE_NAME_MAX = 255;

const HEADERS: Readonly<Record<MoveKind, readonly ImportField[]>> = {
  customers: ["id", "email", "name", "birthday", "accepts_marketing"],
  points: ["customer", "points", "expires_at"],
  tiers: ["customer", "tier"],
};

type Line = (resolved: ResolvedMember) => readonly string[] | null;

/** What each kind says of a member; null: nothing. */
const LINES: Readonly<Record<MoveKind, (move: MemberMove, rules: readonly TierRule[]) => Line>> = {
  customers:
    () =>
    ({ member, storefrontId, foundBy }) =>
      foundBy === "nothing" ? [storefrontId, ...profileOf(member)] : null,
  points:
    ({ setsBalance }) =>
    ({ member: { points, expiresAt }, storefrontId }) =>
      points === 0n && !setsBalance
        ? null
        : [storefrontId, String(points), expiresAt === null ? "" : formatInstant(expiresAt)],
  tiers:
    (_, rules) =>
    ({ member: { tier }, storefrontId }) => {
      const rule = tier === null ? undefined : tierNamed(rules, tier);
      return rule === undefined ? null : [storefrontId, rule.uid];
    },
};

function profileOf({ email, name, birthday, acceptsMarketing }: Member): string[] {
  const consent = acceptsMarketing === null ? "" : acceptsMarketing ? "yes" : "no";
  return [email ?? "", name ?? "", birthday ?? "", consent];
}
