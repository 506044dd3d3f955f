import { useSyncExternalStore } from "react";
import classes from "./points.module.css";
import { useFormat } from "./use-format.ts";

const TICK_MS = 30_000;

function subscribe(onTick: () => void): () => void {
  const timer = setInterval(onTick, TICK_MS);
  return () => clearInterval(timer);
}

/** The machine's time, steady between ticks. */
function tick(): number {
  return Math.floor(Date.now() / TICK_MS) * TICK_MS;
}

/** An instant, relative; the exact one in the store's zone when pointed at. `—` when there is none. */
export function Time({ at }: { at: string | null }) {
  const format = useFormat();
  const now = useSyncExternalStore(subscribe, tick);
  if (at === null) return "—";
  return (
    <time className={classes["points"]} dateTime={at} title={format.exact(at)}>
      {format.relative(at, now)}
    </time>
  );
}
