import { addMonths } from "../time/store-time.ts";
import type { SpendWindow } from "./check-dates.ts";

/** The months that end at an instant: what a change of the program that applies now looks at, between two checks. */
export function trailingWindow(end: Temporal.Instant, months: number, timeZone: string): SpendWindow {
  return { start: addMonths(end, -months, timeZone), end };
}
