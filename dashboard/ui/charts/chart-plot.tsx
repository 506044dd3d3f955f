import { useClickOutside } from "@mantine/hooks";
import { type PointerEvent, type ReactNode, useState } from "react";
import classes from "./chart.module.css";
import { type ChartSeries, middleOf, Swatch } from "./chart-marks.tsx";

interface PlotProps {
  labels: readonly string[];
  series: readonly ChartSeries[];
  value(value: number, series: string): string;
  /** The drawing, which is not rendered again when the pointer moves. */
  children: ReactNode;
}

/** The drawing, and the values of the point under the pointer or finger. */
export function Plot({ labels, series, value, children }: PlotProps) {
  const [shown, setShown] = useState<number | null>(null);
  const place = useClickOutside<HTMLDivElement>(() => setShown(null));
  const points = labels.length;
  const show = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    setShown(Math.max(0, Math.min(points - 1, Math.floor(((clientX - left) / width) * points))));
  };
  /** After a touch it stays open. */
  const leave = ({ pointerType }: PointerEvent) => {
    if (pointerType === "mouse") setShown(null);
  };
  return (
    <div
      className={classes["plot"]}
      role="presentation"
      ref={place}
      onPointerDown={show}
      onPointerMove={show}
      onPointerLeave={leave}
      onPointerCancel={() => setShown(null)}
    >
      <svg className={classes["marks"]} data-plot="" aria-hidden="true" style={variables({ "--points": points })}>
        {children}
        {shown === null ? null : (
          <line className={classes["pointed"]} x1={middleOf(shown, points)} x2={middleOf(shown, points)} y2="100%" />
        )}
      </svg>
      {shown === null ? null : (
        <div
          className={classes["tip"]}
          data-half={shown < points / 2 ? "first" : "second"}
          style={variables({ "--at": middleOf(shown, points) })}
        >
          <p>{labels[shown]}</p>
          {series.map((one) => (
            <Value key={one.name} series={one} point={shown} value={value} />
          ))}
        </div>
      )}
    </div>
  );
}

function Value({ series, point, value }: { series: ChartSeries; point: number; value: PlotProps["value"] }) {
  const own = series.values[point] ?? null;
  if (own === null) return null;
  return (
    <div className={classes["value"]}>
      <Swatch tone={series.tone} mark={series.mark} />
      <span>{series.label}</span>
      <b>{value(own, series.name)}</b>
    </div>
  );
}

/** CSS variables as a style, which React's types do not include. */
function variables(values: Readonly<Record<`--${string}`, string | number>>): object {
  return values;
}
