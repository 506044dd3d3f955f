import "@mantine/charts/styles.layer.css";
import { AreaChart, BarChart } from "@mantine/charts";
import { useComputedColorScheme } from "@mantine/core";
import type { HomeCampaign, HomeData } from "../../../src/admin/home/schema.ts";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { type DayGroup, type Grouping, marksOf } from "./grouped-days.ts";
import { useHomeFormat } from "./use-home-format.ts";
import { words } from "./words.ts";

interface DaysChartProps {
  campaigns: readonly HomeCampaign[];
  groups: readonly DayGroup[];
  grouping: Grouping;
  height: number;
}

const STILL = { isAnimationActive: false } as const;
/** The chart stands inside an image with a name; the keyboard and screen readers have the table. */
const OUTSIDE = { accessibilityLayer: false } as const;
const AXES = { gridAxis: "x", tickLine: "none", strokeDasharray: "0", tooltipAnimationDuration: 0 } as const;
const Y_WIDTH = 64;

/** Given upward, taken downward, stacked. */
export function FlowsChart({ groups, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const short = useHomeFormat();
  const colors = useColors();
  const data = groups.map(({ day, issued, spent, expired, refunded }) => ({
    label: short.tick(day, grouping),
    issued,
    spent: -spent,
    expired: -expired,
    refunded: -refunded,
  }));
  return (
    <BarChart
      {...AXES}
      h={height}
      data={data}
      dataKey="label"
      type="stacked"
      withLegend
      legendProps={{ verticalAlign: "bottom", itemSorter: null }}
      maxBarWidth={32}
      yAxisLabel={t.points}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: short.compact }}
      xAxisProps={{ minTickGap: 24 }}
      valueFormatter={(value) => format.points(Math.abs(value))}
      barProps={STILL}
      barChartProps={{ ...OUTSIDE, stackOffset: "sign" }}
      referenceLines={referenceLines(marksOf(groups, campaigns), (day) => short.tick(day, grouping))}
      series={(["issued", "spent", "expired", "refunded"] as const).map((name) => ({
        name,
        label: t[name],
        color: colors[name],
      }))}
    />
  );
}

export function OutstandingChart({ groups, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const short = useHomeFormat();
  const colors = useColors();
  return (
    <AreaChart
      {...AXES}
      h={height}
      data={groups.map(({ day, outstanding }) => ({ label: short.tick(day, grouping), outstanding }))}
      dataKey="label"
      curveType="linear"
      withDots={false}
      fillOpacity={0.12}
      withGradient={false}
      yAxisLabel={t.points}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: short.compact }}
      xAxisProps={{ minTickGap: 24 }}
      valueFormatter={(value) => format.points(value)}
      areaProps={STILL}
      areaChartProps={OUTSIDE}
      referenceLines={referenceLines(marksOf(groups, campaigns), (day) => short.tick(day, grouping))}
      series={[{ name: "outstanding", label: t.outstanding, color: colors.issued }]}
    />
  );
}

export function ExpiringChart({ months, height }: { months: HomeData["expiring"]["months"]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const short = useHomeFormat();
  const colors = useColors();
  return (
    <BarChart
      {...AXES}
      h={height}
      data={months.map(({ month, points }) => ({ label: short.tick(month, "month"), points }))}
      dataKey="label"
      maxBarWidth={32}
      yAxisLabel={t.points}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: short.compact }}
      xAxisProps={{ minTickGap: 12 }}
      valueFormatter={(value) => format.points(value)}
      barProps={STILL}
      barChartProps={OUTSIDE}
      series={[{ name: "points", label: t.expiring, color: colors.expired }]}
    />
  );
}

/** A dashed line at the stretch in which campaigns begin, with their numbers in the list below. */
function referenceLines(
  marks: readonly { readonly day: string; readonly numbers: readonly number[] }[],
  tick: (day: string) => string,
) {
  return marks.map(({ day, numbers }) => ({ x: tick(day), label: numbers.join(" "), color: "gray.6" }));
}

/** The accent for what is given, and three that stand apart from it and one another, also for the colour-blind. */
function useColors() {
  const isDark = useComputedColorScheme("light") === "dark";
  return isDark
    ? { issued: "indigo.4", spent: "teal.5", expired: "orange.4", refunded: "gray.5" }
    : { issued: "indigo.7", spent: "teal.7", expired: "orange.6", refunded: "gray.6" };
}
