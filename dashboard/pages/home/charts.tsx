import type { HomeCampaign, HomeData } from "../../../src/admin/home/schema.ts";
import { Chart } from "../../ui/charts/chart.tsx";
import type { ChartSeries, ChartStart } from "../../ui/charts/chart-marks.tsx";
import type { Format } from "../../ui/values/format.ts";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { type DayGroup, type Grouping, marksOf } from "./grouped-days.ts";
import { words } from "./words.ts";

interface DaysChartProps {
  campaigns: readonly HomeCampaign[];
  groups: readonly DayGroup[];
  /** The previous period's groups, at the same positions. */
  before: readonly DayGroup[];
  grouping: Grouping;
  height: number;
}

const FLOWS = ["issued", "spent", "expired", "refunded", "returned", "adjusted"] as const;
const DOWN: ReadonlySet<string> = new Set(["spent", "expired", "refunded"]);
const COMPARED = ["issued", "spent"] as const;

/** Given points upward, taken points downward, stacked; given and spent points of the previous period as dashed lines. */
export function FlowsChart({ groups, before, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const upOrDown = (flow: (typeof FLOWS)[number], group: DayGroup) => (DOWN.has(flow) ? -group[flow] : group[flow]);
  const flows = FLOWS.map((flow): ChartSeries => {
    const values = groups.map((group) => upOrDown(flow, group));
    return { name: flow, label: t[flow], tone: flow, mark: "bar", values };
  });
  const compared = COMPARED.map((flow): ChartSeries => {
    const values = valuesOf(groups, before, (group) => upOrDown(flow, group));
    return { name: `${flow}Before`, label: t[`${flow}Before`], tone: flow, mark: "dashes", values };
  });
  return (
    <Chart
      labels={ticksOfDays(format, groups, grouping)}
      series={[...flows, ...compared]}
      height={height}
      unit={t.points}
      tick={format.compact}
      value={(value, flow) => (flow === "adjusted" ? format.points(value, true) : format.points(Math.abs(value)))}
      starts={startsOf(groups, campaigns)}
      hasLegend
    />
  );
}

export function OutstandingChart({ groups, before, grouping, campaigns, height }: DaysChartProps) {
  const t = useWords(words);
  const format = useFormat();
  const now = groups.map(({ outstanding }) => outstanding);
  const then = valuesOf(groups, before, ({ outstanding }) => outstanding);
  return (
    <Chart
      labels={ticksOfDays(format, groups, grouping)}
      series={[
        { name: "outstanding", label: t.outstanding, tone: "issued", mark: "area", values: now },
        { name: "outstandingBefore", label: t.outstandingBefore, tone: "issued", mark: "dashes", values: then },
      ]}
      height={height}
      unit={t.points}
      tick={format.compact}
      value={(value) => format.points(value)}
      starts={startsOf(groups, campaigns)}
    />
  );
}

export function ExpiringChart({ months, height }: { months: HomeData["expiring"]["months"]; height: number }) {
  const t = useWords(words);
  const format = useFormat();
  const values = months.map(({ points }) => points);
  return (
    <Chart
      labels={months.map(({ month }) => format.shortMonth(month))}
      series={[{ name: "points", label: t.expiring, tone: "expired", mark: "bar", values }]}
      height={height}
      unit={t.points}
      tick={format.compact}
      value={(value) => format.points(value)}
    />
  );
}

/** Short labels of store days, or of the first day of each group. */
function ticksOfDays(format: Format, groups: readonly DayGroup[], grouping: Grouping): string[] {
  return groups.map(({ day }) => (grouping === "month" ? format.shortMonth(day) : format.shortDay(day)));
}

/** The previous period's values at the positions of this one, which may have more of them. */
function valuesOf(groups: readonly DayGroup[], before: readonly DayGroup[], value: (group: DayGroup) => number) {
  return groups.map((_, place) => {
    const group = before[place];
    return group === undefined ? null : value(group);
  });
}

/** The groups in which campaigns begin, with their numbers in the list below. */
function startsOf(groups: readonly DayGroup[], campaigns: readonly HomeCampaign[]): ChartStart[] {
  return marksOf(groups, campaigns).map(({ day, numbers }) => ({
    point: groups.findIndex((group) => group.day === day),
    text: numbers.join(" "),
  }));
}
