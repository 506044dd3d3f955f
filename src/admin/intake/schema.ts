import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const nullableText = Nullable(text);

const RECEIPT_STATES = ["new", "waiting", "done", "failed", "quarantined"] as const;
const state = Type.Enum(RECEIPT_STATES, {
  description: "`new`: to be processed, also again; `quarantined`: its body cannot be read.",
});
const filter = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 500, description }));

const filterFields = {
  state: Type.Optional(state),
  warned: Type.Optional(Type.Enum(["yes"], { description: "Those with warnings alone." })),
  topic: filter("Exactly."),
  subject: filter("As `order/1001`, or the bare id of an order or customer."),
};
export const receiptFilters = Type.Object(filterFields);
export const receiptQuery = Type.Object({ ...filterFields, after: filter("A `next` of the same list.") });

const receiptFields = {
  uid: text,
  adapter: text,
  topic: text,
  subject: text,
  state,
  note: Nullable(Type.String({ description: "Why it waits, failed, was quarantined, or says nothing." })),
  attempts: Type.Integer(),
  received_at: text,
  due_at: Nullable(Type.String({ description: "Of a new one: when it is tried, by the machine's clock." })),
};
const receiptRow = Type.Object({ ...receiptFields, has_warnings: Type.Boolean() });
export const receiptPage = Type.Object({ data: Type.Array(receiptRow), next: nullableText });

export const connectionsAnswer = Type.Object({
  data: Type.Object({
    platforms: Type.Array(
      Type.Object({
        platform: text,
        address: Type.String({ description: "Of its webhooks." }),
        has_secret: Type.Boolean({ description: "No: every delivery of it is refused." }),
      }),
    ),
    events: Type.String({ description: "The address for events of other systems." }),
  }),
});
export type Connections = Static<typeof connectionsAnswer>["data"];

const counted = Type.Integer({ description: "Counted up to `counted_to`." });
export const receiptSummary = Type.Object({
  data: Type.Object({
    new: counted,
    waiting: counted,
    failed: counted,
    quarantined: counted,
    counted_to: Type.Integer(),
    topics: Type.Array(text),
  }),
});

const counts = { new: counted, waiting: counted, failed: counted, quarantined: counted };
export const backlogAnswer = Type.Object({
  data: Type.Object({
    ...counts,
    counted_to: Type.Integer(),
    older_than: Type.Object(
      { minute: counted, ten_minutes: counted, hour: counted, day: counted },
      { description: "Of the new ones." },
    ),
    oldest_s: Nullable(Type.Integer({ description: "Age of the oldest new one, seconds; null: there is none." })),
    per_minute: Type.Number({ description: "Processed over the last 5 minutes." }),
    left_s: Nullable(Type.Integer({ description: "At that rate, seconds; null: nothing is processed." })),
  }),
});

export const receiptParams = Type.Object({ uid: Type.String({ format: "uuid" }) });
export const receiptAnswer = Type.Object({
  data: Type.Object({
    ...receiptFields,
    delivery_key: text,
    warnings: Type.Array(
      Type.Object({
        ...{ pointer: text, detail: text },
        kind: Nullable(Type.String({ description: "Null: kept before warnings had kinds." })),
        values: Type.Record(Type.String(), text, { description: "The values in the sentence of this kind." }),
      }),
      { description: "What of it contradicts itself, or was passed over." },
    ),
    headers: Nullable(Type.String({ description: "JSON text; null: dropped, or the role may not see it." })),
    payload: Nullable(Type.String({ description: "As it came; null: dropped, or the role may not see it." })),
    payload_bytes: Nullable(Type.Integer({ description: "Null: dropped after 30 days, or erased." })),
    order: Nullable(Type.Object({ id: text, name: nullableText })),
    customer: Nullable(namedCustomer),
  }),
});

export const reprocessBody = Type.Object({});
export const reprocessAnswer = Type.Object({ data: Type.Object({ uid: text, state }) });
export const reprocessAllBody = Type.Object({
  state: Type.Enum(["failed", "quarantined", "waiting"]),
  after: Type.Optional(Type.String({ format: "uuid", description: "`next` of the call before." })),
});
export const reprocessAllAnswer = Type.Object({
  data: Type.Object({
    reprocessed: Type.Integer(),
    next: Nullable(Type.String({ description: "There are more: ask once more with it." })),
  }),
});

export type ReceiptFilterQuery = Static<typeof receiptFilters>;
export type ReceiptQuery = Static<typeof receiptQuery>;
export type ReceiptRow = Static<typeof receiptRow>;
export type ReceiptPage = Static<typeof receiptPage>;
export type ReceiptSummary = Static<typeof receiptSummary>;
export type BacklogAnswer = Static<typeof backlogAnswer>;
export type ReceiptAnswer = Static<typeof receiptAnswer>;
export type ReprocessAllBody = Static<typeof reprocessAllBody>;
export type ReprocessAllAnswer = Static<typeof reprocessAllAnswer>;
