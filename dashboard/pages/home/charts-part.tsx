import type { HomeData } from "../../../src/admin/home/schema.ts";
import { Section } from "../../ui/layout/section.tsx";
import { useFormat } from "../../ui/values/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { CampaignMarks } from "./campaign-marks.tsx";
import { ChartOrTable } from "./chart-or-table.tsx";
import { ExpiringChart, FlowsChart, OutstandingChart } from "./charts.tsx";
import { groupDays, groupingOf } from "./grouped-days.ts";
import classes from "./home.module.css";
import { ExpiringTable, FlowsTable } from "./tables.tsx";
import { words } from "./words.ts";

const HEIGHT = 260;

/** Charts of moved, outstanding and expiring points, each with the table of the same numbers. */
export function ChartsPart({ data }: { data: HomeData }) {
  const t = useWords(words);
  const format = useFormat();
  const grouping = groupingOf(data.days.length);
  const groups = groupDays(data.days, grouping);
  const before = groupDays(data.days_before, grouping);
  const beforeHint = t.beforeHint(format.day(data.before.from), format.day(data.before.to));
  const [from, to] = [format.day(data.from), format.day(data.to)];
  const table = <FlowsTable groups={groups} grouping={grouping} lastDay={data.to} />;
  return (
    <>
      <ChartOrTable
        title={t.flows}
        hint={`${t.flowsHint} ${beforeHint}`}
        about={t.flowsAbout(from, to)}
        table={table}
        height={HEIGHT}
        chart={
          <FlowsChart groups={groups} before={before} grouping={grouping} campaigns={data.campaigns} height={HEIGHT} />
        }
      />
      <CampaignMarks campaigns={data.campaigns} />
      <div className={classes["pair"]}>
        <ChartOrTable
          title={t.balance}
          hint={`${t.balanceHint} ${beforeHint}`}
          about={t.balanceAbout(from, to)}
          table={table}
          height={HEIGHT}
          chart={
            <OutstandingChart
              groups={groups}
              before={before}
              grouping={grouping}
              campaigns={data.campaigns}
              height={HEIGHT}
            />
          }
        />
        <ExpiringPart expiring={data.expiring} />
      </div>
    </>
  );
}

function ExpiringPart({ expiring: { months, is_complete } }: { expiring: HomeData["expiring"] }) {
  const t = useWords(words);
  const hint = is_complete ? t.expiringHint : t.recounting;
  if (months.every(({ points }) => points === 0)) {
    return (
      <Section title={t.expiring}>
        <p className={classes["hint"]}>{is_complete ? t.expiringNone : t.recounting}</p>
      </Section>
    );
  }
  return (
    <ChartOrTable
      title={t.expiring}
      hint={hint}
      about={t.expiringAbout}
      table={<ExpiringTable months={months} />}
      height={HEIGHT}
      chart={<ExpiringChart months={months} height={HEIGHT} />}
    />
  );
}
