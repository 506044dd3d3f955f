import type {
  BuyersMonthRow,
  GrowthMonthRow,
  JoinMonthRow,
  TiersOverTimeAnswer,
} from "../../../src/admin/growth/schema.ts";
import { useSession } from "../../api/session.ts";
import { Chart } from "../../ui/charts/chart.tsx";
import type { ChartSeries } from "../../ui/charts/chart-marks.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./growth.module.css";
import { words } from "./words.ts";

interface MonthsChartProps {
  /** Oldest first. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  height: number;
  unit: string;
  tick(value: number): string;
  value(value: number): string;
}

/** Months with bars and lines, each with its own mark, so that colour is not the only distinction. */
function MonthsChart({ series, ...chart }: MonthsChartProps) {
  const t = useWords(words);
  const markOf = ({ mark }: ChartSeries) => (mark === "area" ? "line" : mark);
  const named = series.map((one) => ({ ...one, label: t.marked(one.label, t.marks[markOf(one)]) }));
  return <Chart {...chart} series={named} hasDots hasLegend />;
}

/** One of the figures of months, oldest first. */
function seriesOf<Row>(
  rows: readonly Row[],
  value: (row: Row) => number,
  drawn: Omit<ChartSeries, "values">,
): ChartSeries {
  return { ...drawn, values: rows.map(value) };
}

export function MembersChart({ months, height }: { months: readonly GrowthMonthRow[]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const rows = months.toReversed();
  const { joined, first_ordered, lapsed } = t.figures;
  return (
    <MonthsChart
      labels={rows.map(({ month }) => format.shortMonth(month))}
      series={[
        seriesOf(rows, (row) => row.joined, { name: "joined", label: joined, tone: "issued", mark: "bar" }),
        seriesOf(rows, (row) => row.first_ordered, {
          name: "first",
          label: first_ordered,
          tone: "spent",
          mark: "line",
        }),
        seriesOf(rows, (row) => row.lapsed, { name: "lapsed", label: lapsed, tone: "expired", mark: "dashes" }),
      ]}
      height={height}
      unit={t.members}
      tick={format.compact}
      value={format.number}
    />
  );
}

export function JoinedChart({ months, height }: { months: readonly JoinMonthRow[]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const rows = months.toReversed().flatMap(({ month, ...row }) => (month === null ? [] : [{ month, ...row }]));
  return (
    <MonthsChart
      labels={rows.map(({ month }) => format.shortMonth(month))}
      series={[
        seriesOf(rows, (row) => row.customers, { name: "all", label: t.figures.joined, tone: "issued", mark: "bar" }),
        seriesOf(rows, (row) => row.ordered, { name: "ordered", label: t.ordered, tone: "spent", mark: "line" }),
        seriesOf(rows, (row) => row.reordered, { name: "again", label: t.reordered, tone: "expired", mark: "dashes" }),
      ]}
      height={height}
      unit={t.members}
      tick={format.compact}
      value={format.number}
    />
  );
}

export function GuestsChart({ months, height }: { months: readonly BuyersMonthRow[]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const { currency, currency_digits: digits } = useSession().store;
  const rows = months.toReversed();
  const members = { name: "members", label: t.memberRevenue, tone: "issued", mark: "bar" } as const;
  const guests = { name: "guests", label: t.guestRevenue, tone: "expired", mark: "line" } as const;
  return (
    <MonthsChart
      labels={rows.map(({ from }) => format.shortMonth(from))}
      series={[
        seriesOf(rows, (row) => row.customers.revenue_minor, members),
        seriesOf(rows, (row) => row.guests.revenue_minor, guests),
      ]}
      height={height}
      unit={currency}
      tick={(minor) => format.compact(minor / 10 ** digits)}
      value={format.money}
    />
  );
}

/** A small chart for each tier, in the program's order, on a scale of its own: the lowest has nearly all customers in most stores. */
export function TiersChart({
  months,
  tiers,
}: {
  months: TiersOverTimeAnswer["data"];
  tiers: TiersOverTimeAnswer["tiers"];
}) {
  const t = useWords(words);
  const format = useFormat();
  const rows = months.toReversed();
  const labels = rows.map(({ month }) => format.shortMonth(month));
  const drawn = { name: "customers", label: t.members, tone: "issued", mark: "bar" } as const;
  return (
    <div className={classes["tierCharts"]}>
      {tiers.map(({ uid, name }, place) => (
        <div key={uid}>
          <p className={classes["tierName"]}>
            {name} <span>{format.number(months[0]?.customers[place] ?? 0)}</span>
          </p>
          <Chart
            labels={labels}
            series={[seriesOf(rows, ({ customers }) => customers[place] ?? 0, drawn)]}
            height={TIER_HEIGHT}
            tick={format.compact}
            value={format.number}
          />
        </div>
      ))}
    </div>
  );
}

const TIER_HEIGHT = 140;

/** Promoted members upward, demoted ones downward. */
export function MovesChart({ months, height }: { months: TiersOverTimeAnswer["data"]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const rows = months.toReversed();
  const up = { name: "up", label: t.marked(t.moves.up, t.marks.upward), tone: "issued", mark: "bar" } as const;
  const down = { name: "down", label: t.marked(t.moves.down, t.marks.downward), tone: "expired", mark: "bar" } as const;
  return (
    <Chart
      labels={rows.map(({ month }) => format.shortMonth(month))}
      series={[seriesOf(rows, (row) => row.up, up), seriesOf(rows, (row) => -row.down, down)]}
      height={height}
      unit={t.members}
      tick={(value) => format.compact(Math.abs(value))}
      value={(value) => format.number(Math.abs(value))}
      hasLegend
    />
  );
}
