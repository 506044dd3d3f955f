import "@mantine/charts/styles.layer.css";
import { BarChart, CompositeChart } from "@mantine/charts";
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
  /** Of the period before, in the same places. */
  before: readonly DayGroup[];
  grouping: Grouping;
  height: number;
}

const STILL = { isAnimationActive: false } as const;
/** The chart stands inside an image with a name; the keyboard and screen readers have the table. */
const OUTSIDE = { accessibilityLayer: false } as const;
const AXES = { gridAxis: "x", tickLine: "none", strokeDasharray: "0", tooltipAnimationDuration: 0 } as const;
const Y_WIDTH = 64;
/** What was before. */
const DASHES = "4 3";

/** Given upward, taken downward, stacked; what was given and spent in the period before as dashed lines. */
export function FlowsChart({ groups, before, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const short = useHomeFormat();
  const colors = useColors();
  const data = groups.map(({ day, issued, spent, expired, refunded }, index) => ({
    label: short.tick(day, grouping),
    issued,
    spent: -spent,
    expired: -expired,
    refunded: -refunded,
    issuedBefore: before[index]?.issued ?? null,
    spentBefore: negative(before[index]?.spent),
  }));
  return (
    <CompositeChart
      {...AXES}
      h={height}
      data={data}
      dataKey="label"
      curveType="linear"
      withDots={false}
      withLegend
      legendProps={{ verticalAlign: "bottom", itemSorter: null }}
      maxBarWidth={32}
      yAxisLabel={t.points}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: short.compact }}
      xAxisProps={{ minTickGap: 24 }}
      valueFormatter={(value) => format.points(Math.abs(value))}
      barProps={{ ...STILL, stackId: "flows" }}
      lineProps={STILL}
      composedChartProps={{ ...OUTSIDE, stackOffset: "sign" }}
      referenceLines={referenceLines(marksOf(groups, campaigns), (day) => short.tick(day, grouping))}
      series={[
        ...(["issued", "spent", "expired", "refunded"] as const).map((name) => ({
          name,
          type: "bar" as const,
          label: t[name],
          color: colors[name],
        })),
        ...(["issued", "spent"] as const).map((name) => ({
          name: `${name}Before`,
          type: "line" as const,
          label: t[`${name}Before`],
          color: colors[name],
          strokeDasharray: DASHES,
        })),
      ]}
    />
  );
}

function negative(value: number | undefined): number | null {
  return value === undefined ? null : -value;
}

export function OutstandingChart({ groups, before, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const short = useHomeFormat();
  const colors = useColors();
  const data = groups.map(({ day, outstanding }, index) => ({
    label: short.tick(day, grouping),
    outstanding,
    outstandingBefore: before[index]?.outstanding ?? null,
  }));
  return (
    <CompositeChart
      {...AXES}
      h={height}
      data={data}
      dataKey="label"
      curveType="linear"
      withDots={false}
      yAxisLabel={t.points}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: short.compact }}
      xAxisProps={{ minTickGap: 24 }}
      valueFormatter={(value) => format.points(value)}
      areaProps={{ ...STILL, fillOpacity: 0.12 }}
      lineProps={STILL}
      composedChartProps={OUTSIDE}
      referenceLines={referenceLines(marksOf(groups, campaigns), (day) => short.tick(day, grouping))}
      series={[
        { name: "outstanding", type: "area", label: t.outstanding, color: colors.issued },
        {
          name: "outstandingBefore",
          type: "line",
          label: t.outstandingBefore,
          color: colors.issued,
          strokeDasharray: DASHES,
        },
      ]}
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
