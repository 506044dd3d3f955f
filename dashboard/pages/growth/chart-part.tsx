import { Skeleton } from "@mantine/core";
import { lazy, type ReactNode, Suspense } from "react";
import { loadCode } from "../../api/code.ts";
import { Section } from "../../ui/section.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./growth.module.css";
import { words } from "./words.ts";

// The library of charts is a chunk of its own, which comes after the page can be used.
export const MembersChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).MembersChart })));
export const GuestsChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).GuestsChart })));
export const JoinedChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).JoinedChart })));
export const TiersChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).TiersChart })));
export const MovesChart = lazy(loadCode(async () => ({ default: (await import("./charts.tsx")).MovesChart })));

export const CHART_HEIGHT = 260;

/** A chart over the table of the same numbers. */
export function ChartPart({ title, about, children }: { title: string; about: string; children: ReactNode }) {
  const t = useWords(words);
  return (
    <Section title={title}>
      <div className={classes["chart"]} role="img" aria-label={t.chartOf(about)}>
        <Suspense fallback={<Skeleton height={CHART_HEIGHT} animate={false} />}>{children}</Suspense>
      </div>
    </Section>
  );
}
