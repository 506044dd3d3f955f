import { SLOW_DISK_MS, slowPlaces } from "../file-calls.ts";
import { printNote } from "./output.ts";

const LOOK_EVERY_MS = 1_000;

/** Runs a command, and says once of each folder that does not answer that it is waited for: the limit of a call is long. */
export async function saySlowPlaces<T>(
  run: () => Promise<T>,
  { slowMs = SLOW_DISK_MS, everyMs = LOOK_EVERY_MS, say = printNote } = {},
): Promise<T> {
  const said = new Set<string>();
  const timer = setInterval(() => {
    for (const place of slowPlaces(slowMs)) {
      if (said.has(place)) continue;
      said.add(place);
      say(`Waiting for ${place}: it may be on a network share that is away.`);
    }
  }, everyMs).unref();
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}
