import { SegmentedControl, Skeleton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { DeferredRender } from "../../ui/layout/deferred-render.tsx";
import { Section } from "../../ui/layout/section.tsx";
import { useWords } from "../../words/use-words.ts";
import classes from "./home.module.css";
import { words } from "./words.ts";

interface ChartOrTableProps {
  title: string;
  hint?: string;
  /** A description of the chart for people who do not see it. */
  about: string;
  chart: ReactNode;
  /** The height of the chart, whose space is reserved until it is loaded. */
  height: number;
  table: ReactNode;
}

/** A chart, or the same numbers as a table. */
export function ChartOrTable({ title, hint, about, chart, height, table }: ChartOrTableProps) {
  const t = useWords(words);
  const [shape, setShape] = useState("chart");
  return (
    <Section
      title={title}
      action={
        <SegmentedControl
          size="xs"
          transitionDuration={0}
          aria-label={t.showAs(title)}
          value={shape}
          onChange={setShape}
          data={[
            { value: "chart", label: t.chart },
            { value: "table", label: t.table },
          ]}
        />
      }
    >
      {hint === undefined ? null : <p className={classes["hint"]}>{hint}</p>}
      {shape === "table" ? (
        <div className={classes["tableBox"]}>{table}</div>
      ) : (
        <div className={classes["chart"]} role="img" aria-label={about}>
          <DeferredRender place={<Skeleton height={height} animate={false} />}>{chart}</DeferredRender>
        </div>
      )}
    </Section>
  );
}
