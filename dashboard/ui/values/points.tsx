import classes from "./points.module.css";
import { useFormat } from "./use-format.ts";

interface PointsProps {
  value: number;
  /** A change, with `+` or `−` and a matching colour. */
  signed?: boolean;
}

/** Points in tabular numerals. */
export function Points({ value, signed = false }: PointsProps) {
  const format = useFormat();
  const tone = !signed || value === 0 ? undefined : value > 0 ? "good" : "bad";
  return (
    <span className={classes["points"]} data-tone={tone}>
      {format.points(value, signed)}
    </span>
  );
}
