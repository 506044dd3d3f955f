import { csvLine } from "../exports/csv-line.ts";
import { formatMajor } from "../platforms/money.ts";
import type { CohortDeferral } from "./deferrals.ts";
import { lastDayOf, monthText } from "./month.ts";
import type { Deferral } from "./revenue.ts";

const REVENUE = "Revenue";
const DEFERRED = "Deferred revenue: loyalty points";
const REDEEMED = "Loyalty revenue: redeemed points";
const BREAKAGE = "Loyalty revenue: breakage";

type Line = Exclude<keyof Deferral, "opening" | "closing">;

/** The accounts on which each line is booked; for a negative amount debit and credit are exchanged. */
const ENTRIES: readonly {
  readonly line: Line;
  readonly name: string;
  readonly debit: string;
  readonly credit: string;
  readonly about: string;
}[] = [
  { line: "additions", name: "additions", debit: REVENUE, credit: DEFERRED, about: "Price allocated to points" },
  { line: "takenBack", name: "taken_back", debit: DEFERRED, credit: REVENUE, about: "Points taken back" },
  { line: "redemption", name: "redemption", debit: DEFERRED, credit: REDEEMED, about: "Points redeemed" },
  {
    line: "breakage",
    name: "breakage",
    debit: DEFERRED,
    credit: BREAKAGE,
    about: "Points not expected to be redeemed",
  },
  {
    line: "reestimate",
    name: "reestimate",
    debit: DEFERRED,
    credit: BREAKAGE,
    about: "Change of the expected redemption",
  },
];

const HEADER = ["date", "account", "debit", "credit", "currency", "description", "reference", "status"] as const;

/** A month's journal entries as CSV: for each line and month of issue a debit and a credit of the same amount. */
export function journalCsv(
  month: number,
  deferrals: readonly CohortDeferral[],
  { currency, isClosed }: { readonly currency: string; readonly isClosed: boolean },
): string {
  const date = lastDayOf(month);
  const status = isClosed ? "closed" : "open";
  const lines = ENTRIES.flatMap((entry) =>
    deferrals.flatMap(({ cohort, deferral }) => {
      const value = deferral[entry.line];
      if (value === 0n) return [];
      const amount = formatMajor(value < 0n ? -value : value, currency);
      const [debit, credit] = value < 0n ? [entry.credit, entry.debit] : [entry.debit, entry.credit];
      const about = `${entry.about}, issued ${monthText(cohort)}`;
      const reference = `${monthText(month)}/${monthText(cohort)}/${entry.name}`;
      return [
        csvLine([date, debit, amount, "", currency, about, reference, status]),
        csvLine([date, credit, "", amount, currency, about, reference, status]),
      ];
    }),
  );
  return [csvLine(HEADER), ...lines].join("");
}
