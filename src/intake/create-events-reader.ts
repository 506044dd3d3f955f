import { extname } from "node:path";
import { Piscina } from "piscina";
import type { Deps } from "../deps.ts";
import { createLimiter } from "../http/limits/limiter.ts";
import { Problem } from "../problems.ts";
import type { EventsTask } from "./events-thread.ts";
import { type EventsContext, type ParsedEvents, parseEvents } from "./parsed-events.ts";

export interface EventsReader {
  /**
   * Reads a body of `POST /intake/events`: a small one at once, a large one on a separate thread, so that no other request waits for it. Throws
   * `unavailable` (503) if too many are waiting, and `body_too_large` (413) if the thread does not have enough memory for it.
   */
  read(rawBody: Uint8Array, context: EventsContext): Promise<ParsedEvents>;
  close(): Promise<void>;
}

/** A body of this size is read within some milliseconds, whatever it contains. */
const INLINE_BYTES_MAX = 16_384;
const THREAD = {
  filename: new URL(`events-thread${extname(import.meta.filename)}`, import.meta.url).href, // .js in a package
  name: "readOnThread",
  minThreads: 0,
  maxThreads: 1,
  idleTimeout: 10_000,
  resourceLimits: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 },
} as const;
const WAITING_MAX = 2;
const READ_TIMEOUT_MS = 30_000;
const RETRY_S = 2;

/** Creates the reader. Its thread is started with the first large body, and ends after some time without one. */
export function createEventsReader(deps: Pick<Deps, "log">): EventsReader {
  const pool = new Piscina<EventsTask, ParsedEvents>(THREAD);
  const limit = createLimiter({ running: 1, waiting: WAITING_MAX });

  let isClosing = false;

  function readLarge(task: EventsTask): Promise<ParsedEvents> {
    return pool.run(task, { signal: AbortSignal.timeout(READ_TIMEOUT_MS) }).catch((error: unknown) => {
      deps.log.warn({ error, bytes: task.rawBody.length }, "a body of events could not be read");
      throw isClosing ? new Problem("unavailable", { retryAfterS: RETRY_S }) : refusalOf(error);
    });
  }

  return {
    async read(rawBody, context) {
      if (rawBody.length <= INLINE_BYTES_MAX) return parseEvents(rawBody, context);
      return limit(() => readLarge({ rawBody, ...context }));
    },
    close() {
      isClosing = true;
      return pool.destroy();
    },
  };
}

function refusalOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  if (error.name === "AbortError") return new Problem("unavailable", { retryAfterS: RETRY_S });
  const isTooLarge = Reflect.get(error, "code") === "ERR_WORKER_OUT_OF_MEMORY";
  return isTooLarge ? new Problem("body_too_large", { faults: [{ detail: "expected fewer events at once" }] }) : error;
}
