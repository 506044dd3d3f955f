import classes from "./points.module.css";
import { useFormat } from "./use-format.ts";

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** The day of an instant in the store's zone, or a store day (`2026-04-01`) unchanged. `—` if there is none. */
export function DateText({ at }: { at: string | null }) {
  const format = useFormat();
  if (at === null) return "—";
  if (DAY.test(at)) {
    return (
      <time className={classes["points"]} dateTime={at}>
        {format.day(at)}
      </time>
    );
  }
  return (
    <time className={classes["points"]} dateTime={at} title={format.exact(at)}>
      {format.date(at)}
    </time>
  );
}
