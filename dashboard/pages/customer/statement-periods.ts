/** A period of store days, both included. */
export interface StatementPeriod {
  readonly name: "thisMonth" | "lastMonth" | "thisYear" | "lastYear";
  readonly from: string;
  readonly until: string;
}

const MONTHS = 12;

/** The usual periods of statements, relative to a store day (`2026-03-01`). */
export function statementPeriods(today: string): readonly StatementPeriod[] {
  const [year = 0, month = 1] = today.split("-").map(Number);
  const isFirst = month === 1;
  const last = isFirst ? { year: year - 1, month: MONTHS } : { year, month: month - 1 };
  return [
    { name: "thisMonth", from: dayText(year, month, 1), until: today },
    {
      name: "lastMonth",
      from: dayText(last.year, last.month, 1),
      until: dayText(last.year, last.month, daysOf(last.year, last.month)),
    },
    { name: "thisYear", from: dayText(year, 1, 1), until: today },
    { name: "lastYear", from: dayText(year - 1, 1, 1), until: dayText(year - 1, MONTHS, 31) },
  ];
}

function daysOf(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function dayText(year: number, month: number, day: number): string {
  return [String(year).padStart(4, "0"), String(month).padStart(2, "0"), String(day).padStart(2, "0")].join("-");
}
