import { PageLink } from "../../ui/layout/page-link.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { Money } from "../../ui/values/money.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { movementsPath } from "./points-table.tsx";
import { type Deferral, minorOf, type Report } from "./use-liability.ts";
import { words } from "./words.ts";

const LINES = ["opening", "additions", "taken_back", "redemption", "breakage", "reestimate", "closing"] as const;

/** The month of issue; null: all. */
type RevenueRow = Deferral & { readonly month: string | null };

/** Deferred revenue from opening to closing, by month of issue. */
export function RevenuePart({ report: { month, revenue } }: { report: Report }) {
  const t = useWords(words);
  const format = useFormat();
  if (revenue === null) {
    return (
      <Section title={t.revenue}>
        <EmptyState title={t.noEstimate} hint={t.noEstimateHint} />
      </Section>
    );
  }
  const { cohorts, total, expected_redemption, point_price } = revenue;
  const columns: Column<RevenueRow>[] = [
    {
      key: "month",
      onPhone: "first",
      header: t.cohort,
      render: ({ month }) => (month === null ? t.total : format.month(month)),
      isShort: true,
    },
    ...LINES.map(
      (line): Column<RevenueRow> => ({
        key: line,
        onPhone: "named",
        header: t.lines[line],
        align: "right",
        render: (row) => <Money minor={minorOf(row[line])} />,
      }),
    ),
  ];
  return (
    <Section title={t.revenue}>
      <p>{t.revenueHint(format.percentText(expected_redemption), format.price(point_price))}</p>
      <p>{t.additionsHint(format.money(minorOf(total.sales)))}</p>
      <p>
        <PageLink to={movementsPath("issued", { month, origin: "sale" })}>{t.salesRows}</PageLink>
      </p>
      {total.unpriced === null && <p>{t.unpricedUnknown}</p>}
      {total.unpriced !== null && total.unpriced !== "0" && (
        <p>{t.unpricedHint(format.number(Number(total.unpriced)))}</p>
      )}
      <DataTable
        caption={t.revenue}
        columns={columns}
        rows={cohorts.length === 0 ? [] : [...cohorts, { ...total, month: null }]}
        rowKey={({ month }) => month ?? "total"}
        empty={t.noRevenue}
      />
    </Section>
  );
}
