import "@mantine/charts/styles.layer.css";
import { BarChart, CompositeChart } from "@mantine/charts";
import type { HomeCampaign, HomeData } from "../../../src/admin/home/schema.ts";
import { AXES, DASHES, OUTSIDE, STILL, useChartColors, Y_WIDTH } from "../../ui/chart-style.ts";
import type { Format } from "../../ui/format.ts";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { type DayGroup, type Grouping, marksOf } from "./grouped-days.ts";
import { words } from "./words.ts";

interface DaysChartProps {
  campaigns: readonly HomeCampaign[];
  groups: readonly DayGroup[];
  /** Of the period before, in the same places. */
  before: readonly DayGroup[];
  grouping: Grouping;
  height: number;
}

/** Given upward, taken downward, stacked; what was given and spent in the period before as dashed lines. */
export function FlowsChart({ groups, before, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const colors = useChartColors();
  const data = groups.map(({ day, issued, spent, expired, refunded }, index) => ({
    label: tickOf(format, day, grouping),
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
      yAxisProps={{ width: Y_WIDTH, tickFormatter: format.compact }}
      xAxisProps={{ minTickGap: 24 }}
      valueFormatter={(value) => format.points(Math.abs(value))}
      barProps={{ ...STILL, stackId: "flows" }}
      lineProps={STILL}
      composedChartProps={{ ...OUTSIDE, stackOffset: "sign" }}
      referenceLines={referenceLines(marksOf(groups, campaigns), (day) => tickOf(format, day, grouping))}
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

/** A store day or the first of a stretch, short. */
function tickOf(format: Format, day: string, grouping: Grouping): string {
  return grouping === "month" ? format.shortMonth(day) : format.shortDay(day);
}

function negative(value: number | undefined): number | null {
  return value === undefined ? null : -value;
}

export function OutstandingChart({ groups, before, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const colors = useChartColors();
  const data = groups.map(({ day, outstanding }, index) => ({
    label: tickOf(format, day, grouping),
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
      yAxisProps={{ width: Y_WIDTH, tickFormatter: format.compact }}
      xAxisProps={{ minTickGap: 24 }}
      valueFormatter={(value) => format.points(value)}
      areaProps={{ ...STILL, fillOpacity: 0.12 }}
      lineProps={STILL}
      composedChartProps={OUTSIDE}
      referenceLines={referenceLines(marksOf(groups, campaigns), (day) => tickOf(format, day, grouping))}
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
  const colors = useChartColors();
  return (
    <BarChart
      {...AXES}
      h={height}
      data={months.map(({ month, points }) => ({ label: format.shortMonth(month), points }))}
      dataKey="label"
      maxBarWidth={32}
      yAxisLabel={t.points}
      yAxisProps={{ width: Y_WIDTH, tickFormatter: format.compact }}
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
