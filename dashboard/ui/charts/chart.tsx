import classes from "./chart.module.css";
import {
  Bars,
  type ChartSeries,
  type ChartStart,
  Dots,
  Grid,
  Lines,
  middleOf,
  Starts,
  Swatch,
} from "./chart-marks.tsx";
import { Plot } from "./chart-plot.tsx";
import { labelWidths, scaleOf, stackBars, ticksOf } from "./chart-scale.ts";

interface ChartProps {
  /** The labels of the points, from left to right. */
  labels: readonly string[];
  series: readonly ChartSeries[];
  /** The total height in pixels. */
  height: number;
  /** What is counted. */
  unit?: string;
  /** Formats a value on the axis. */
  tick(value: number): string;
  /** Formats the value under the pointer, of the series of a name. */
  value(value: number, series: string): string;
  starts?: readonly ChartStart[];
  hasDots?: boolean;
  hasLegend?: boolean;
}

/** Lower charts have fewer lines. */
const SMALL = 200;
const FEW_STEPS = 2;
const STEPS = 4;

/**
 * A chart of consecutive points. It is drawn in parts of its width and height, so that nothing has to be measured and nothing moves. It is inside an
 * image with a name; keyboards and screen readers use the table of the same numbers.
 */
export function Chart(props: ChartProps) {
  const { labels, series, height, unit, tick, value, starts = [], hasDots = false, hasLegend = false } = props;
  const ticks = ticksOf(endsOf(series), height < SMALL ? FEW_STEPS : STEPS);
  const scale = scaleOf(ticks);
  const points = labels.length;
  const drawn = { series, points, scale };
  return (
    <div className={classes["chart"]} style={{ height }}>
      {unit === undefined ? null : <div className={classes["unit"]}>{unit}</div>}
      <div className={classes["body"]}>
        <div className={classes["ticks"]}>
          {ticks.map((each) => (
            <span key={each}>{tick(each)}</span>
          ))}
        </div>
        <Plot labels={labels} series={series} value={value}>
          <Grid ticks={ticks} scale={scale} />
          <Bars {...drawn} />
          <Starts starts={starts} points={points} />
          <Lines {...drawn} />
          {hasDots ? <Dots {...drawn} /> : null}
        </Plot>
        <Labels labels={labels} />
      </div>
      {hasLegend ? <Legend series={series} /> : null}
    </div>
  );
}

/** The range of bars and lines. */
function endsOf(series: readonly ChartSeries[]): number[] {
  const bars = stackBars(series.filter(({ mark }) => mark === "bar").map(({ values }) => values));
  const lines = series.filter(({ mark }) => mark !== "bar").flatMap(({ values }) => values);
  return [...bars.flatMap((parts) => parts.map(({ to }) => to)), ...lines.filter((value) => value !== null)];
}

function Labels({ labels }: { labels: readonly string[] }) {
  return (
    <div className={classes["labels"]}>
      {labels.map((label, point) => {
        const widths = labelWidths(point, labels.length);
        if (widths === "") return null;
        const left = middleOf(point, labels.length);
        return (
          <span key={left} data-in={widths} style={{ left }}>
            {label}
          </span>
        );
      })}
    </div>
  );
}

function Legend({ series }: { series: readonly ChartSeries[] }) {
  return (
    <div className={classes["legend"]}>
      {series.map(({ name, label, tone, mark }) => (
        <span key={name}>
          <Swatch tone={tone} mark={mark} /> {label}
        </span>
      ))}
    </div>
  );
}
