import { pointAllotmentCascade } from "../../webhooks/topics/point-allotment-cascade.ts";

export interface ChangeEvent {
  /** The position after this event, from which to continue. */
  readonly cursor: string;
  readonly version: bigint;
  /** The customer's balance right after it; expired points are included until they are written off. */
  readonly balanceAfter: bigint;
  /** The body of the webhook, as JSON text. */
  readonly payload: string;
}

export interface ChangeEventPage {
  readonly events: readonly ChangeEvent[];
  readonly hasMore: boolean;
  readonly nextCursor: string;
}

/** Returns an event as JSON. Its payload is already text, in which ids keep all their digits. */
export function eventText({ cursor, version, balanceAfter, payload }: ChangeEvent): string {
  const topic = JSON.stringify(pointAllotmentCascade.name);
  return `{"cursor":${JSON.stringify(cursor)},"topic":${topic},"version":${version},"balance_after":${balanceAfter},"payload":${payload}}`;
}

/** Returns a page as the body of an answer. */
export function pageText({ events, hasMore, nextCursor }: ChangeEventPage): string {
  const meta = JSON.stringify({ has_more: hasMore, next_cursor: nextCursor });
  return `{"data":[${events.map(eventText).join(",")}],"meta":${meta}}`;
}

/** Returns an event as a server-sent event, with its cursor as the id. */
export function streamText(event: ChangeEvent): string {
  return `id: ${event.cursor}\nevent: ${pointAllotmentCascade.name}\ndata: ${eventText(event)}\n\n`;
}
