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

/** Documented here, read by `read-events.ts`: the schema accepts every value, so that ids keep their digits. */
export const eventsBody = Type.Unsafe<unknown>({
  title: "NeutralEvents",
  description: `One neutral event, a list of at most ${EVENTS_MAX}, or an object with the field \`events\`: docs/intake-events.md.`,
  examples: [EXAMPLE, { events: [EXAMPLE] }],
});

/** The documented form of the body. */
export const documentedEvents = { ...NeutralEventsBodySchema, ...eventsBody };

const STATES: readonly ReceiptState[] = ["new", "waiting", "done", "failed", "quarantined"];

const REFUSED = "refused";
const STATUS =
  "`new`: to be processed; `waiting`: for something that has not arrived yet; `failed`: after several tries. An event that was received before has its present status.";

const warnings = Type.Array(Type.Object({ pointer: Type.String(), detail: Type.String() }), {
  description:
    "Parts of an accepted event that contradict each other or earn nothing, with pointers into the body. Absent: there are none.",
});

const deliveryKey = Type.String({ description: "The sender's, or a hash of the event." });
const progress = {
  error: Type.Optional(Type.String({ description: "Why it waits, failed or will be tried again." })),
  warnings: Type.Optional(warnings),
};

export const eventsAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        delivery_key: deliveryKey,
        status: Type.Unsafe<ReceiptState>({ type: "string", enum: STATES, description: STATUS }),
        ...progress,
      }),
    ),
  },
  { title: "TakenEvents", examples: [{ data: [{ delivery_key: "shipment-S-1", status: "new" }] }] },
);

/** 207: some events of a batch are accepted, others refused. */
export const mixedAnswer = Type.Object(
  {
    data: Type.Array(
      Type.Object({
        delivery_key: deliveryKey,
        status: Type.Unsafe<ReceiptState | typeof REFUSED>({
          type: "string",
          enum: [...STATES, REFUSED],
          description: `${STATUS} \`${REFUSED}\`: it has faults, and nothing of it is stored.`,
        }),
        ...progress,
        errors: Type.Optional(
          Type.Array(
            Type.Object({
              status: Type.String(),
              title: Type.String(),
              code: Type.String({ description: "The stable name of the refusal." }),
              detail: Type.String(),
              source: Type.Object({ pointer: Type.String({ description: "Into the body of the request." }) }),
            }),
            {
              description:
                "The faults of a refused event. A batch lists at most 100, with the first fault of each event before the others.",
            },
          ),
        ),
        error_count: Type.Optional(Type.Integer({ description: "All faults of a refused event." })),
      }),
    ),
  },
  {
    title: "PartlyTakenEvents",
    examples: [
      {
        data: [
          { delivery_key: "shipment-S-1", status: "new" },
          {
            delivery_key: "shipment-S-2",
            status: REFUSED,
            errors: [
              {
                status: "422",
                title: "Invalid value",
                code: "invalid",
                detail:
                  "/1/payload/order_id is missing: expected an id: an integer or a text of 1 to 255 visible ASCII characters",
                source: { pointer: "/1/payload/order_id" },
              },
            ],
            error_count: 1,
          },
        ],
      },
    ],
  },
);

export const acceptedDeliveryAnswer = Type.Object({}, { title: "TakenDelivery", examples: [{}] });
