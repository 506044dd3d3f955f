import type { NeutralEvent } from "./neutral-events.ts";

type ContentOf<E> = E extends NeutralEvent
  ? Pick<E, "type" | "subject" | "factKey" | "payload"> &
      Partial<Pick<E, "occurredAt" | "entityVersion" | "contentVersion" | "test">>
  : never;

/** A neutral event without the fields that its delivery adds. */
export type EventContent = ContentOf<NeutralEvent>;
