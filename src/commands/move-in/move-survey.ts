import { issueText } from "../../imports/issue-words.ts";
import type { Columns } from "../../imports/read/columns.ts";
import type { MemberFileHead } from "../../moving-in/member-file.ts";
import type { EarlierMove, MemberSums } from "../../moving-in/member-sums.ts";
import type { MemberMove } from "../../moving-in/move.ts";
import { MOVED_BEFORE } from "../../moving-in/read-members.ts";
import { formatMajor } from "../../platforms/money.ts";
import { formatInstant } from "../../time/store-time.ts";
import { countText, inTone, jsonTime, pointsText, tableLines } from "../output.ts";

/** The context for showing the sums of a file. */
export interface SurveyContext {
  readonly currency: string;
  /** The names of the store's tiers. */
  readonly tiers: readonly string[];
}

const FAULTS_SHOWN = 20;
/** In a file of members, points are a balance. */
const OF_MEMBERS = { hasDayForms: true, isBalance: true } as const;

function mappingOf({ header }: MemberFileHead, columns: Columns): [string, string][] {
  return Object.entries(columns).flatMap(([field, index]) => [[field, header[index ?? -1] ?? ""]]);
}

/** Returns the columns that are not read. */
function leftColumns({ head, columns }: MemberMove): string[] {
  const used = new Set<number | undefined>(Object.values(columns));
  return head.header.filter((name, index) => name !== "" && !used.has(index));
}

/** Returns the sums of a file as JSON. */
export function surveyJson(move: MemberMove, sums: MemberSums, { currency, tiers }: SurveyContext) {
  return {
    from: move.vendor.name,
    columns: Object.fromEntries(mappingOf(move.head, move.columns)),
    columns_not_read: leftColumns(move),
    rows: sums.rows,
    valid_rows: sums.validRows,
    members: sums.members,
    points: sums.points,
    worth: formatMajor(sums.worthMinor, currency),
    currency,
    rows_with_points: sums.withPoints,
    found_by_email: sums.foundByEmail,
    found_by_id: sums.foundById,
    created: sums.created,
    spent: formatMajor(sums.spentMinor, currency),
    points_by_expiry: Object.fromEntries(sums.byExpiry),
    rows_by_tier: Object.fromEntries(sums.byTier),
    unknown_tiers: sums.unknownTiers,
    received_before: sums.earlier.map(({ moveUid, source, at, customers: members, points }) => ({
      ...{ move: moveUid, source, started_at: jsonTime(at), members, points },
    })),
    fault_count: sums.faultCount,
    faults: sums.faults.map((fault) => ({
      ...{ line: fault.line, field: fault.field, code: fault.code, value: fault.value },
      detail: issueText(fault, "en", { tiers, ...OF_MEMBERS }),
    })),
  };
}

function earlierText({ source, at, customers: members, points, moveUid }: EarlierMove): string {
  const day = formatInstant(at).slice(0, "2026-03-01".length);
  return `${pointsText(BigInt(members))} of these members already received points from an earlier move of ${source} on ${day} (${countText(points, "point")}): ${moveUid}.`;
}

/** Warns of rows for a member who has an earlier row. An app's own file has none, unless its addresses differ only in case. */
function repeatedText({ validRows, members }: MemberSums): string[] {
  const repeated = validRows - members;
  if (repeated <= 0) return [];
  return [inTone("warning", `${countText(repeated, "row")} for members who have an earlier row: their points add up.`)];
}

/** The same in lines. */
export function surveyText(move: MemberMove, sums: MemberSums, { currency, tiers }: SurveyContext): string[] {
  const { vendor, head, columns } = move;
  const count = (value: number) => pointsText(BigInt(value));
  const money = (minor: bigint) => `${formatMajor(minor, currency)} ${currency}`;
  const expiries = [...sums.byExpiry].map(([month, points]): [string, string] => [
    month === "" ? "by the program" : month,
    pointsText(points),
  ]);
  const shown = sums.faults.filter(({ code }) => code !== MOVED_BEFORE).slice(0, FAULTS_SHOWN); // those have a separate line
  const left = leftColumns(move);
  const title = `${vendor.title}: ${countText(sums.rows, "row")}, ${count(sums.validRows)} valid, ${countText(sums.members, "member")}, ${countText(sums.points, "point")}, worth ${money(sums.worthMinor)}`;
  return [
    inTone("title", title),
    ...tableLines(["field", "column"], mappingOf(head, columns)),
    ...(left.length === 0 ? [] : [`Columns that are not read: ${left.join(", ")}.`]),
    `Members: known by e-mail ${count(sums.foundByEmail)}, known by id ${count(sums.foundById)}, new ${count(sums.created)}.`,
    ...repeatedText(sums),
    ...(sums.spentMinor === 0n ? [] : [`Spent so far: ${money(sums.spentMinor)}.`]),
    ...(expiries.length === 0 ? [] : tableLines(["expires", "points"], expiries)),
    ...[...sums.byTier].map(([tier, rows]) => {
      const isUnknown = sums.unknownTiers.includes(tier);
      return `Tier ${tier}: ${countText(rows, "row")}${isUnknown ? ". The program has no tier of that name: left out" : ""}.`;
    }),
    ...sums.earlier.map((earlier) => inTone("warning", earlierText(earlier))),
    `Not brought in: ${vendor.leavesOut.map(({ en }) => en).join(", ")}.`,
    ...shown.map((fault) =>
      inTone("bad", `line ${fault.line}, ${fault.field ?? "row"}: ${issueText(fault, "en", { tiers, ...OF_MEMBERS })}`),
    ),
    ...(sums.faultCount > shown.length ? [inTone("bad", `${countText(sums.faultCount, "row")} with faults.`)] : []),
  ];
}
