import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Money } from "../../ui/money.tsx";
import { Section } from "../../ui/section.tsx";
import { useWords } from "../../words/use-words.ts";
import { type Deferral, minorOf, type Report } from "./use-liability.ts";
import { words } from "./words.ts";

const LINES = ["opening", "additions", "taken_back", "redemption", "breakage", "reestimate", "closing"] as const;

/** Deferred revenue from opening to closing, by month of issue. */
export function RevenuePart({ revenue }: { revenue: Report["revenue"] }) {
  const t = useWords(words);
  if (revenue === null) {
    return (
      <Section title={t.revenue}>
        <EmptyState title={t.noEstimate} hint={t.noEstimateHint} />
      </Section>
    );
  }
  const { cohorts, total, expected_redemption, point_price } = revenue;
  const columns: Column<Deferral & { month: string }>[] = [
    { key: "month", header: t.cohort, render: ({ month }) => month, isShort: true },
    ...LINES.map(
      (line): Column<Deferral & { month: string }> => ({
        key: line,
        header: t.lines[line],
        align: "right",
        render: (row) => <Money minor={minorOf(row[line])} />,
      }),
    ),
  ];
  return (
    <Section title={t.revenue}>
      <p>{t.revenueHint(expected_redemption, point_price)}</p>
      <DataTable
        caption={t.revenue}
        columns={columns}
        rows={cohorts.length === 0 ? [] : [...cohorts, { ...total, month: t.total }]}
        rowKey={({ month }) => month}
        empty={t.noRevenue}
      />
    </Section>
  );
}
