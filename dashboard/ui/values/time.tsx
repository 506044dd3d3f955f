import { useSyncExternalStore } from "react";
import { onStoreTime, storeNow } from "../../api/store-clock.ts";
import points from "./points.module.css";
import classes from "./time.module.css";
import { useFormat } from "./use-format.ts";

const TICK_MS = 30_000;

/** All times of a page are updated together, by one timer. */
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(onTick: () => void): () => void {
  listeners.add(onTick);
  timer ??= setInterval(() => {
    for (const listener of listeners) listener();
  }, TICK_MS);
  const end = onStoreTime(onTick);
  return () => {
    end();
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** Returns the service's time, constant between updates. */
function tick(): number {
  return Math.floor(storeNow() / TICK_MS) * TICK_MS;
}

/** An instant as a relative time; the pointer and paper show the exact one in the store's zone. `—` if there is none. */
export function Time({ at }: { at: string | null }) {
  const format = useFormat();
  const now = useSyncExternalStore(subscribe, tick);
  if (at === null) return "—";
  return (
    <time className={`${points["points"]} ${classes["time"]}`} dateTime={at} title={format.exact(at)}>
      <span>{format.relative(at, now)}</span>
    </time>
  );
}
