import type { pointAllotmentCascade } from "../../webhooks/topics/point-allotment-cascade.ts";
import type { tierChangeEvent } from "./tier-change-event.ts";

/** An event of the change feed: an allotment, or a change of a tier. */
export type ChangeEvent = AllotmentEvent | TierEvent;

interface FeedEvent {
  /** The position after this event, from which to continue. */
  readonly cursor: string;
  /** The body of the event, as JSON text. Of an allotment it is that of the webhook. */
  readonly payload: string;
}

export interface AllotmentEvent extends FeedEvent {
  readonly topic: typeof pointAllotmentCascade.name;
  readonly version: bigint;
  /** The customer's balance right after it; expired points are included until they are written off. */
  readonly balanceAfter: bigint;
}

export interface TierEvent extends FeedEvent {
  readonly topic: typeof tierChangeEvent.name;
}

export interface ChangeEventPage {
  readonly events: readonly ChangeEvent[];
  readonly hasMore: boolean;
  readonly nextCursor: string;
}

/** Returns an event as JSON. Its payload is already text, in which ids keep all their digits. */
function eventText(event: ChangeEvent): string {
  const { cursor, topic, payload } = event;
  const numbers = "version" in event ? `"version":${event.version},"balance_after":${event.balanceAfter},` : "";
  return `{"cursor":${JSON.stringify(cursor)},"topic":${JSON.stringify(topic)},${numbers}"payload":${payload}}`;
}

/** Returns a page as the body of an answer. */
export function pageText({ events, hasMore, nextCursor }: ChangeEventPage): string {
  const meta = JSON.stringify({ has_more: hasMore, next_cursor: nextCursor });
  return `{"data":[${events.map(eventText).join(",")}],"meta":${meta}}`;
}

/** Returns an event as a server-sent event, with its cursor as the id. */
export function streamText(event: ChangeEvent): string {
  return `id: ${event.cursor}\nevent: ${event.topic}\ndata: ${eventText(event)}\n\n`;
}
