import { Skeleton } from "@mantine/core";
import { lazy, Suspense } from "react";
import type { HomeData } from "../../../src/admin/home/schema.ts";
import { loadCode } from "../../api/code.ts";
import { Section } from "../../ui/section.tsx";
import { useFormat } from "../../ui/use-format.ts";
import { useWords } from "../../words/use-words.ts";
import { CampaignMarks } from "./campaign-marks.tsx";
import { ChartOrTable } from "./chart-or-table.tsx";
import { groupDays, groupingOf } from "./grouped-days.ts";
import classes from "./home.module.css";
import { ExpiringTable, FlowsTable } from "./tables.tsx";
import { words } from "./words.ts";

// The library of charts is a chunk of its own, which comes after the page can be used.
const FlowsChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).FlowsChart })));
const OutstandingChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).OutstandingChart })));
const ExpiringChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).ExpiringChart })));

const HEIGHT = 260;
const waiting = <Skeleton height={HEIGHT} animate={false} />;

/** What moved, what was outstanding, what expires: charts, each with the table of the same numbers. */
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
        chart={
          <Suspense fallback={waiting}>
            <FlowsChart
              groups={groups}
              before={before}
              grouping={grouping}
              campaigns={data.campaigns}
              height={HEIGHT}
            />
          </Suspense>
        }
      />
      <CampaignMarks campaigns={data.campaigns} />
      <div className={classes["pair"]}>
        <ChartOrTable
          title={t.balance}
          hint={`${t.balanceHint} ${beforeHint}`}
          about={t.balanceAbout(from, to)}
          table={table}
          chart={
            <Suspense fallback={waiting}>
              <OutstandingChart
                groups={groups}
                before={before}
                grouping={grouping}
                campaigns={data.campaigns}
                height={HEIGHT}
              />
            </Suspense>
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
      chart={
        <Suspense fallback={waiting}>
          <ExpiringChart months={months} height={HEIGHT} />
        </Suspense>
      }
    />
  );
}
