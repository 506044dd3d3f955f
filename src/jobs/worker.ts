import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { hasOpenCalls, SLOW_DISK_MS } from "../file-calls.ts";
import { countWorkFailure } from "../instruments/instruments.ts";
import { waitAtMost } from "../wait-at-most.ts";
import { isAbort } from "./is-abort.ts";
import type { WakeHub } from "./wake-hub.ts";

/** Work that runs as long as the process. At the signal it finishes what is in progress and ends. */
export interface Loop {
  readonly name: string;
  run(deps: Deps, context: LoopContext): Promise<void>;
}

export interface LoopContext {
  readonly signal: AbortSignal;
  readonly wakes: Pick<WakeHub, "on">;
}

/** Work that is repeated, with a pause in between. */
export interface PeriodicTask {
  readonly name: string;
  readonly everyMs: number;
  run(deps: Deps): Promise<unknown>;
}

export interface Worker {
  /** Returns when everything in progress is finished, or has had its time to. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;
/**
 * What has not finished so long after the signal does not hold up the stop any more, such as a call on a network share that is away. Supervisors grant a
 * minute, in which the database has to be stopped too. What is abandoned so is taken up again like the work of a process that was killed.
 */
const STOP_MS = 30_000;
/** The same where a folder is silent: a call on it is not waited for. */
const SILENT_STOP_MS = 5_000;
const LOOK_EVERY_MS = 100;

/**
 * Runs loops and tasks in parallel. One that fails is logged and tried again; the others continue. Requests to a bucket end with the signal: one that
 * is silent would hold up the stop for minutes.
 */
export function startWorker(
  given: Deps,
  work: {
    readonly loops: readonly Loop[];
    readonly tasks: readonly PeriodicTask[];
    readonly wakes: Pick<WakeHub, "on">;
    readonly stopMs?: number;
    readonly silentStopMs?: number;
    readonly silentMs?: number;
  },
): Worker {
  const ending = new AbortController();
  const { signal } = ending;
  const { objectStore } = given.config;
  const deps: Deps =
    objectStore === null ? given : { ...given, config: { ...given.config, objectStore: { ...objectStore, signal } } };
  const running = new Map<string, Promise<void>>();
  const begin = (name: string, pauseMs: number, run: () => Promise<unknown>) => {
    const repeating = repeat(deps, name, pauseMs, signal, run);
    running.set(name, repeating);
    void repeating.finally(() => running.delete(name));
  };
  for (const loop of work.loops) begin(loop.name, RESTART_MS, () => loop.run(deps, { signal, wakes: work.wakes }));
  for (const task of work.tasks) begin(task.name, task.everyMs, () => task.run(deps));
  return {
    async stop() {
      ending.abort();
      const { stopMs = STOP_MS, silentStopMs = SILENT_STOP_MS, silentMs = SLOW_DISK_MS } = work;
      const startedMs = performance.now();
      const ended = Promise.all(running.values());
      await waitAtMost(ended, Math.min(stopMs, silentStopMs));
      const isTimeLeft = () => performance.now() - startedMs < stopMs;
      while (running.size > 0 && isTimeLeft() && !hasOpenCalls(silentMs)) await waitAtMost(ended, LOOK_EVERY_MS);
      if (running.size === 0) return;
      deps.log.error({ work: [...running.keys()] }, "background work does not end: the service stops without it");
    },
  };
}

async function repeat(
  deps: Pick<Deps, "log" | "instruments">,
  name: string,
  pauseMs: number,
  signal: AbortSignal,
  run: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await run();
    } catch (error) {
      if (signal.aborted) {
        if (!isAbort(error)) deps.log.warn({ error, work: name }, "background work failed while it was stopped");
        break;
      }
      countWorkFailure(deps.instruments, name);
      deps.log.error({ error, work: name }, "background work failed");
    }
    await delay(pauseMs, undefined, { signal, ref: false }).catch(() => {}); // stopping ends the pause
  }
}
