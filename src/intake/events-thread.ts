import { type EventsContext, readTakenEvents, type TakenEvents } from "./taken-events.ts";

export interface EventsTask extends EventsContext {
  readonly rawBody: Uint8Array;
}

/** The task of the reader's thread: `create-events-reader.ts`. */
export function readOnThread({ rawBody, ...context }: EventsTask): TakenEvents {
  return readTakenEvents(rawBody, context);
}
