import type { Item, OperationCaller, Query } from "./operation.ts";
import { type CallOptions, pause } from "./transport.ts";

const API = "/api/storefront";
const FOLLOW_WAIT_S = 10;
const PAUSE_MS = 1_000;

/** An event of the change feed: an allotment, or a change of a tier. */
export type FeedEvent = Item<"GET /api/storefront/events">;
export type AllotmentEvent = Extract<FeedEvent, { topic: "point_allotment/cascade" }>;

/** Where the feed is followed from, and with what. */
export interface Following<Include extends "tiers" | undefined> {
  cursor?: string;
  limit?: number;
  /** `tiers`: changes of tiers are events too. */
  include?: Include;
}

/** The change feed. */
export class Events {
  readonly #call: OperationCaller;

  constructor(call: OperationCaller) {
    this.#call = call;
  }

  /** Returns one page of the change feed: the events after `query.cursor`, and in `meta.next_cursor` where the next page begins. */
  page(query?: Query<"GET /api/storefront/events">, options?: CallOptions) {
    return this.#call.whole(`GET ${API}/events`, { query, holdMs: (query?.wait ?? 0) * 1_000, hasData: true }, options);
  }

  /**
   * Yields each event after a cursor as it arrives, without end, by long polls of 10 seconds; `timeoutMs` begins after them. Store the `cursor` of
   * what you have processed and begin there the next time. Ends by an exception: at the signal of `options`, or when the attempts are used up.
   */
  async *follow<Include extends "tiers" | undefined = undefined>(
    { cursor = "start", limit, include }: Following<Include> = {},
    options?: CallOptions,
  ): AsyncGenerator<Include extends "tiers" ? FeedEvent : AllotmentEvent, never> {
    let next = cursor;
    const fixed = { ...(limit === undefined ? {} : { limit }), ...(include === undefined ? {} : { include }) };
    for (;;) {
      const askedMs = Date.now();
      const isNow = next === "now"; // becomes a fixed place at once: a long poll that is sent again would begin at a later one
      const wait = isNow ? 0 : FOLLOW_WAIT_S;
      const { data, meta } = await this.page({ cursor: next, wait, ...fixed }, options);
      // where all places for waiting are taken, the service answers at once
      const isEarly = !isNow && data.length === 0 && Date.now() - askedMs < PAUSE_MS;
      if (isEarly) await pause(PAUSE_MS, options?.signal);
      yield* data as (Include extends "tiers" ? FeedEvent : AllotmentEvent)[]; // cast: others come only with `include`
      next = meta.next_cursor;
    }
  }
}
