import { Type } from "typebox";
import { NeutralEventsBodySchema } from "../platforms/neutral-schema.ts";
import { EVENTS_MAX } from "../platforms/neutral-wire.ts";
import type { ReceiptState } from "./receipt.ts";

const EXAMPLE = {
  type: "OrderFulfilled",
  delivery_key: "shipment-S-1",
  occurred_at: "2026-03-02T10:00:00+09:00",
  payload: {
    order_id: "A-1001",
    fulfillment: { fulfillment_id: "S-1", lines: [{ line_id: "A-1001-1", quantity: 2 }] },
  },
};

/** Documented here, read by `read-events.ts`: the schema lets every value through, so that ids keep their digits. */
export const eventsBody = Type.Unsafe<unknown>({
  title: "NeutralEvents",
  description: `One neutral event, a list of at most ${EVENTS_MAX}, or an object with the member \`events\`: docs/intake-events.md.`,
  examples: [EXAMPLE, { events: [EXAMPLE] }],
});

/** What readers are shown of it. */
export const documentedEvents = { ...NeutralEventsBodySchema, ...eventsBody };

const STATES: readonly ReceiptState[] = ["new", "waiting", "done", "failed", "quarantined"];

export const eventsAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        delivery_key: Type.String({ description: "The sender's, or a hash of the event." }),
        status: Type.Unsafe<ReceiptState>({
          type: "string",
          enum: STATES,
          description:
            "`new`: to be processed; `waiting`: for something that has not come yet; `failed`: after several tries. An event that came before has the status that it has by now.",
        }),
        error: Type.Optional(Type.String({ description: "Why it waits, failed or will be tried again." })),
      }),
    ),
  },
  { title: "TakenEvents", examples: [{ data: [{ delivery_key: "shipment-S-1", status: "new" }] }] },
);

export const deliveryAnswer = Type.Object({}, { title: "TakenDelivery", examples: [{}] });
