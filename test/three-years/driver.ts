import { expect } from "vitest";
import type { Client } from "../support/client.ts";
import { eventOf, productEvents, requestOf } from "./action-requests.ts";
import type { StoreAction } from "./store-action.ts";
import type { Outcome } from "./store-model.ts";

const EACH_COPIED = 4;

/** Does actions at the service, through its front door alone. */
export interface Driver {
  /** Moves the sandbox clock. */
  goTo(at: Temporal.Instant): Promise<void>;
  sendProducts(at: Temporal.Instant): Promise<void>;
  /** Deeds of the clock's time, each of another customer or in the order given; answers what became of each. */
  does(actions: readonly StoreAction[], at: Temporal.Instant): Promise<readonly Outcome[]>;
}

export function createDriver(client: Client): Driver {
  const codes = new Map<string, string>();
  let batches = 0;

  async function goTo(at: Temporal.Instant): Promise<void> {
    const { status, text } = await client.put("/sandbox/clock", { now: at.toString() });
    expect([status, text]).toEqual([200, expect.any(String)]);
  }

  /** Some batches come twice, as a platform may send them: the copies are other deliveries of the same facts. */
  async function send(events: readonly object[], at: Temporal.Instant): Promise<void> {
    if (events.length === 0) return;
    const repeated = ++batches % EACH_COPIED === 0 ? events : [];
    const copies = repeated.map((event, n) => ({ ...event, delivery_key: `copy-${at.toString()}-${n}` }));
    const { status, text } = await client.post("/intake/events", [...events, ...copies]);
    expect([status, text]).toEqual([202, expect.any(String)]);
    await goTo(at); // processes the events
  }

  async function ask(action: StoreAction): Promise<Outcome> {
    const request = requestOf(action, codes);
    if (request === null) return "done";
    const { status, body, text } = await client.request(request.method, request.path, { body: request.body });
    if (action.kind === "issue" && status === 200) codes.set(action.coupon, body.data.code);
    if ([400, 404, 409].includes(status)) return "refused";
    expect([status, text]).toEqual([200, expect.any(String)]);
    return "done";
  }

  async function does(actions: readonly StoreAction[], at: Temporal.Instant): Promise<readonly Outcome[]> {
    const outcomes: Outcome[] = [];
    for (const action of actions) outcomes.push(await ask(action));
    await send(
      actions.flatMap((action) => eventOf(action, codes) ?? []),
      at,
    );
    return outcomes;
  }

  return { goTo, does, sendProducts: (at) => send(productEvents(at), at) };
}
