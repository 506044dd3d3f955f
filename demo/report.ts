import type { Ledger, LedgerSums } from "./ledger.ts";
import { count } from "./progress.ts";

/** A condition that must hold at the end, and the result. */
export interface Check {
  readonly name: string;
  /** The error; an empty text if there is none. */
  readonly fault: string;
}

/** A row of the table: indented rows are parts of the one above. */
export type Row = readonly [label: string, value: string, note?: string];

const LABEL_WIDTH = 28;
const VALUE_WIDTH = 12;

/** A section of the report as text. */
export function section(title: string, rows: readonly Row[]): string {
  const lines = rows.map(([label, value, note]) =>
    `  ${label.padEnd(LABEL_WIDTH)}${value.padStart(VALUE_WIDTH)}  ${note ?? ""}`.trimEnd(),
  );
  return `\n${title}\n${lines.join("\n")}\n`;
}

export function ledgerRows({ byType }: Ledger, sums: LedgerSums): { allotments: Row[]; points: Row[] } {
  const types = [...byType].toSorted(([, a], [, b]) => b.count - a.count);
  return {
    allotments: [
      ...types.map(([type, { count: n, given, taken }]): Row => [type, count(n), movement(given, taken)]),
      ["all", count(types.reduce((sum, [, { count: n }]) => sum + n, 0))],
    ],
    points: [
      ["issued", count(sums.issued)],
      ["spent", signed(-sums.spent), "coupons and redemptions"],
      ["refunded", signed(-sums.refunded), "taken back for refunds and cancellations"],
      ["returned", signed(sums.returned), "coupons that were refunded or deleted"],
      ...(sums.corrected === 0n ? [] : [["corrected", signed(sums.corrected)] as const]),
      ["outstanding", count(sums.outstanding)],
    ],
  };
}

export function checkLines(checks: readonly Check[]): string {
  return checks
    .map(({ name, fault }) => `  ${fault === "" ? "ok    " : "FAILED"}  ${name}${fault === "" ? "" : `: ${fault}`}\n`)
    .join("");
}

function movement(given: bigint, taken: bigint): string {
  const parts = [...(given > 0n ? [signed(given)] : []), ...(taken > 0n ? [signed(-taken)] : [])];
  return parts.length === 0 ? "" : `${parts.join(", ")} points`;
}

function signed(points: bigint): string {
  return points > 0n ? `+${count(points)}` : count(points);
}
