import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { DeferredRender } from "../../ui/layout/deferred-render.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./growth.module.css";
import { words } from "./words.ts";

export const CHART_HEIGHT = 260;

interface ChartPartProps<Data> {
  title: string;
  about: string;
  height?: number;
  /** undefined during the first read: the chart's space is reserved, so that nothing below it moves. */
  data: Data | undefined;
  /** Whether there is nothing to draw, which is shown instead. */
  isEmpty(data: Data): boolean;
  children(data: Data): ReactNode;
}

/** A chart above the table of the same numbers. */
export function ChartPart<Data>(props: ChartPartProps<Data>) {
  const { title, about, height = CHART_HEIGHT, data, isEmpty, children } = props;
  const t = useWords(words);
  if (data !== undefined && isEmpty(data))
    return (
      <Section title={title}>
        <div className={classes["emptyChart"]} style={{ height }}>
          {t.emptyChart}
        </div>
      </Section>
    );
  const bone = <Skeleton height={height} animate={false} />;
  return (
    <Section title={title}>
      <div className={classes["chart"]} role="img" aria-label={t.chartOf(about)} aria-busy={data === undefined}>
        {data === undefined ? bone : <DeferredRender place={bone}>{children(data)}</DeferredRender>}
      </div>
    </Section>
  );
}
