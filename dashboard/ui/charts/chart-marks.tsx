import classes from "./chart.module.css";
import { areaPath, type ChartValues, linePath, percentOf, type Scale, stackBars } from "./chart-scale.ts";

/** The subject of a series, which determines its colour. */
type Tone = "issued" | "spent" | "expired" | "refunded" | "returned" | "adjusted";

export interface ChartSeries {
  readonly name: string;
  readonly label: string;
  readonly tone: Tone;
  /** Bars are stacked. */
  readonly mark: "bar" | "line" | "dashes" | "area";
  readonly values: ChartValues;
}

/** A dashed line at a point, with a text above it. */
export interface ChartStart {
  readonly point: number;
  readonly text: string;
}

/** The horizontal position of a point's middle. */
export function middleOf(point: number, points: number): string {
  return percentOf((point + 0.5) / points);
}

export function Grid({ ticks, scale }: { ticks: readonly number[]; scale: Scale }) {
  return ticks.map((tick) => {
    const y = percentOf(scale(tick));
    return <line key={tick} className={classes["grid"]} data-zero={tick === 0 || undefined} x2="100%" y1={y} y2={y} />;
  });
}

interface SeriesProps {
  series: readonly ChartSeries[];
  points: number;
  scale: Scale;
}

export function Bars({ series, points, scale }: SeriesProps) {
  const bars = series.filter(({ mark }) => mark === "bar");
  const stacks = stackBars(bars.map(({ values }) => values));
  return bars.map(({ name, tone }, place) => (
    <g key={name} data-tone={tone} data-mark="bar">
      {stacks[place]?.map(({ point, from, to }) => (
        <rect
          key={point}
          x={middleOf(point, points)}
          y={percentOf(scale(Math.max(from, to)))}
          height={percentOf(Math.abs(scale(from) - scale(to)))}
        />
      ))}
    </g>
  ));
}

export function Lines({ series, points, scale }: SeriesProps) {
  return (
    <svg viewBox={`0 0 ${points} 1`} preserveAspectRatio="none" overflow="visible" aria-hidden="true">
      {series.map(({ name, tone, mark, values }) =>
        mark === "bar" ? null : (
          <g key={name} data-tone={tone}>
            {mark === "area" ? <path data-mark="area" d={areaPath(values, scale)} /> : null}
            <path data-mark={mark === "dashes" ? "dashes" : "line"} d={linePath(values, scale)} />
          </g>
        ),
      )}
    </svg>
  );
}

const RADIUS = 3;

export function Dots({ series, points, scale }: SeriesProps) {
  return series.map(({ name, tone, mark, values }) =>
    mark === "bar" ? null : (
      <g key={name} data-tone={tone} data-mark="dots">
        {values.map((value, point) => {
          const x = middleOf(point, points);
          return value === null ? null : <circle key={x} cx={x} cy={percentOf(scale(value))} r={RADIUS} />;
        })}
      </g>
    ),
  );
}

export function Starts({ starts, points }: { starts: readonly ChartStart[]; points: number }) {
  return starts.map(({ point, text }) => {
    const x = middleOf(point, points);
    return (
      <g key={point}>
        <line className={classes["start"]} data-mark="start" x1={x} x2={x} y2="100%" />
        <text className={classes["startText"]} x={x} y="-4">
          {text}
        </text>
      </g>
    );
  });
}

const SWATCH = { width: 16, height: 10 };

/** The mark of a series beside its name. */
export function Swatch({ tone, mark }: Pick<ChartSeries, "tone" | "mark">) {
  const middle = SWATCH.height / 2;
  return (
    <svg className={classes["swatch"]} data-tone={tone} aria-hidden="true" {...SWATCH}>
      {mark === "bar" || mark === "area" ? (
        <circle data-mark="dot" cx={SWATCH.width - middle} cy={middle} r={middle} />
      ) : (
        <line data-mark={mark} x2={SWATCH.width} y1={middle} y2={middle} />
      )}
    </svg>
  );
}
