import "@mantine/charts/styles.layer.css";
import { BarChart, CompositeChart } from "@mantine/charts";
import type {
  BuyersMonthRow,
  GrowthMonthRow,
  JoinMonthRow,
  TiersOverTimeAnswer,
} from "../../../src/admin/growth/schema.ts";
import { useSession } from "../../api/session.ts";
import { AXES, DASHES, OUTSIDE, STILL, useChartColors, Y_WIDTH } from "../../ui/chart-style.ts";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import classes from "./growth.module.css";
import { words } from "./words.ts";

interface Series {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly mark: "bar" | "line" | "dashes";
}

interface MonthsChartProps {
  /** The oldest first. */
  data: readonly Record<string, number | string>[];
  series: readonly Series[];
  height: number;
  yLabel: string;
  tick(value: number): string;
  value(value: number): string;
}

/** Months with a bar, a line and a dashed line at most, each named by its mark too, so that colour is not the only one. */
function MonthsChart({ data, series, height, yLabel, tick, value }: MonthsChartProps) {
  const t = useWords(words);
  return (
    <CompositeChart
      {...AXES}
      h={height}
      data={[...data]}
      dataKey="label"
      curveType="linear"
      withLegend
      legendProps={{ verticalAlign: "bottom", itemSorter: null }}
      maxBarWidth={32}
      yAxisLabel={yLabel}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: tick, allowDecimals: false }}
      xAxisProps={{ minTickGap: 16 }}
      valueFormatter={value}
      barProps={STILL}
      lineProps={STILL}
      dotProps={{ r: 3 }}
      composedChartProps={OUTSIDE}
      series={series.map(({ name, label, color, mark }) => ({
        name,
        label: t.marked(label, t.marks[mark]),
        color,
        type: mark === "bar" ? "bar" : "line",
        ...(mark === "dashes" ? { strokeDasharray: DASHES } : {}),
      }))}
    />
  );
}

export function MembersChart({ months, height }: { months: readonly GrowthMonthRow[]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const colors = useChartColors();
  return (
    <MonthsChart
      data={months.toReversed().map(({ month, joined, first_ordered, lapsed }) => ({
        label: format.shortMonth(month),
        ...{ joined, first_ordered, lapsed },
      }))}
      series={[
        { name: "joined", label: t.figures.joined, color: colors.issued, mark: "bar" },
        { name: "first_ordered", label: t.figures.first_ordered, color: colors.spent, mark: "line" },
        { name: "lapsed", label: t.figures.lapsed, color: colors.expired, mark: "dashes" },
      ]}
      height={height}
      yLabel={t.members}
      tick={format.compact}
      value={format.number}
    />
  );
}

export function JoinedChart({ months, height }: { months: readonly JoinMonthRow[]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const colors = useChartColors();
  const data = months
    .toReversed()
    .flatMap(({ month, customers, ordered, reordered }) =>
      month === null ? [] : [{ label: format.shortMonth(month), customers, ordered, reordered }],
    );
  return (
    <MonthsChart
      data={data}
      series={[
        { name: "customers", label: t.figures.joined, color: colors.issued, mark: "bar" },
        { name: "ordered", label: t.ordered, color: colors.spent, mark: "line" },
        { name: "reordered", label: t.reordered, color: colors.expired, mark: "dashes" },
      ]}
      height={height}
      yLabel={t.members}
      tick={format.compact}
      value={format.number}
    />
  );
}

export function GuestsChart({ months, height }: { months: readonly BuyersMonthRow[]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const colors = useChartColors();
  const { currency, currency_digits: digits } = useSession().store;
  return (
    <MonthsChart
      data={months.toReversed().map(({ from, customers, guests }) => ({
        label: format.shortMonth(from),
        members: customers.revenue_minor,
        guests: guests.revenue_minor,
      }))}
      series={[
        { name: "members", label: t.memberRevenue, color: colors.issued, mark: "bar" },
        { name: "guests", label: t.guestRevenue, color: colors.expired, mark: "line" },
      ]}
      height={height}
      yLabel={currency}
      tick={(minor) => format.compact(minor / 10 ** digits)}
      value={format.money}
    />
  );
}

/** A small chart for each tier, the highest first, on a scale of its own: the lowest has nearly all members in most stores. */
export function TiersChart({
  months,
  tiers,
}: {
  months: TiersOverTimeAnswer["data"];
  tiers: TiersOverTimeAnswer["tiers"];
}) {
  const t = useWords(words);
  const format = useFormat();
  const colors = useChartColors();
  const oldest = months.toReversed();
  return (
    <div className={classes["tierCharts"]}>
      {tiers
        .map(({ uid, name }, place) => ({ uid, name, place }))
        .toReversed()
        .map(({ uid, name, place }) => (
          <div key={uid}>
            <p className={classes["tierName"]}>
              {name} <span>{format.number(months[0]?.customers[place] ?? 0)}</span>
            </p>
            <BarChart
              {...AXES}
              h={TIER_HEIGHT}
              data={oldest.map(({ month, customers }) => ({
                label: format.shortMonth(month),
                customers: customers[place] ?? 0,
              }))}
              dataKey="label"
              maxBarWidth={24}
              yAxisProps={{ width: TIER_Y_WIDTH, tickFormatter: format.compact, tickCount: 3, allowDecimals: false }}
              xAxisProps={{ minTickGap: 40 }}
              valueFormatter={format.number}
              barProps={STILL}
              barChartProps={OUTSIDE}
              series={[{ name: "customers", label: t.members, color: colors.issued }]}
            />
          </div>
        ))}
    </div>
  );
}

const TIER_HEIGHT = 140;
const TIER_Y_WIDTH = 44;

/** Who moved up upward, who moved down downward. */
export function MovesChart({ months, height }: { months: TiersOverTimeAnswer["data"]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const colors = useChartColors();
  return (
    <BarChart
      {...AXES}
      h={height}
      type="stacked"
      data={months.toReversed().map(({ month, up, down }) => ({ label: format.shortMonth(month), up, down: -down }))}
      dataKey="label"
      withLegend
      legendProps={{ verticalAlign: "bottom", itemSorter: null }}
      maxBarWidth={32}
      yAxisLabel={t.members}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: (value) => format.compact(Math.abs(value)), allowDecimals: false }}
      xAxisProps={{ minTickGap: 16 }}
      valueFormatter={(value) => format.number(Math.abs(value))}
      barProps={STILL}
      barChartProps={{ ...OUTSIDE, stackOffset: "sign" }}
      series={[
        { name: "up", label: t.marked(t.moves.up, t.marks.upward), color: colors.issued },
        { name: "down", label: t.marked(t.moves.down, t.marks.downward), color: colors.expired },
      ]}
    />
  );
}
