import type { JoinMonthRow, JoinMonthsAnswer } from "../../../src/admin/growth/schema.ts";
import { type Column, DataTable } from "../../ui/lists/data-table.tsx";
import { CountedAt } from "../../ui/values/counted-at.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { CHART_HEIGHT, ChartPart } from "./chart-part.tsx";
import { JoinedChart } from "./charts.tsx";
import classes from "./growth.module.css";
import { MemberCount } from "./member-count.tsx";
import { useGrowth } from "./use-growth.ts";
import { words } from "./words.ts";

/** The members who joined in a month: who ordered, who ordered again, and their points. */
export function JoinedPart() {
  const t = useWords(words);
  const { data, error, refetch } = useGrowth<JoinMonthsAnswer>("/growth/joined");
  return (
    <>
      <CountedAt at={data?.counted_at} words={t} />
      {data === undefined && error !== null ? null : (
        <ChartPart title={t.joinedList} about={t.joinedChart} data={data?.data} isEmpty={hasNothing}>
          {(months) => <JoinedChart months={months} height={CHART_HEIGHT} />}
        </ChartPart>
      )}
      <DataTable
        caption={t.joinedList}
        columns={useColumns()}
        rows={data?.data}
        rowKey={({ month }) => month ?? "before"}
        error={error}
        onRetry={() => void refetch()}
        empty={t.none}
      />
      <p className={classes["hint"]}>{t.joinedAbout}</p>
    </>
  );
}

function hasNothing(months: readonly JoinMonthRow[]): boolean {
  return months.every(({ month }) => month === null);
}

function useColumns(): Column<JoinMonthRow>[] {
  const t = useWords(words);
  const format = useFormat();
  const right = { align: "right" } as const;
  const monthOf = ({ month }: JoinMonthRow) => (month === null ? t.before : format.month(month));
  const members = (row: JoinMonthRow, count: number, name: string, more: object) =>
    row.month === null ? (
      format.number(count)
    ) : (
      <MemberCount members={count} name={t.nameOf(name, monthOf(row))} filter={{ joined_month: row.month, ...more }} />
    );
  const rate = (part: number, of: number) => (of === 0 ? "—" : format.percent(part / of));
  return [
    { key: "month", header: t.joinedIn, isShort: true, onPhone: "first", render: monthOf },
    {
      key: "members",
      header: t.members,
      onPhone: "named",
      ...right,
      render: (row) => members(row, row.customers, t.figures.joined, {}),
    },
    {
      key: "ordered",
      header: t.ordered,
      ...right,
      render: (row) => members(row, row.ordered, t.ordered, { orders_min: 1 }),
    },
    {
      key: "reordered",
      header: t.reordered,
      ...right,
      render: (row) => members(row, row.reordered, t.reordered, { orders_min: 2 }),
    },
    {
      key: "rate",
      header: t.repeatRate,
      onPhone: "named",
      ...right,
      render: ({ ordered, reordered }) => rate(reordered, ordered),
    },
    { key: "given", header: t.given, ...right, render: (row) => format.points(row.given) },
    { key: "used", header: t.used, onPhone: "named", ...right, render: (row) => format.points(row.used) },
    { key: "expired", header: t.expired, ...right, render: (row) => format.points(row.expired) },
    { key: "adjusted", header: t.adjusted, ...right, render: (row) => format.points(row.adjusted, true) },
    { key: "kept", header: t.kept, onPhone: "named", ...right, render: (row) => format.points(row.kept) },
  ];
}
