import { setTimeout as delay } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import { countWorkFailure } from "../instruments/instruments.ts";
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
  /** Returns when everything in progress is finished. */
  stop(): Promise<void>;
}

const RESTART_MS = 1_000;

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
  },
): Worker {
  const ending = new AbortController();
  const { signal } = ending;
  const { objectStore } = given.config;
  const deps: Deps =
    objectStore === null ? given : { ...given, config: { ...given.config, objectStore: { ...objectStore, signal } } };
  const running = [
    ...work.loops.map((loop) =>
      repeat(deps, loop.name, RESTART_MS, signal, () => loop.run(deps, { signal, wakes: work.wakes })),
    ),
    ...work.tasks.map((task) => repeat(deps, task.name, task.everyMs, signal, () => task.run(deps))),
  ];
  return {
    async stop() {
      ending.abort();
      await Promise.all(running);
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
