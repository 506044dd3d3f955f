import { type EventsContext, type ParsedEvents, parseEvents } from "./parsed-events.ts";

export interface EventsTask extends EventsContext {
  readonly rawBody: Uint8Array;
}

/** The task of the reader's thread: `create-events-reader.ts`. */
export function readOnThread({ rawBody, ...context }: EventsTask): ParsedEvents {
  return parseEvents(rawBody, context);
}
