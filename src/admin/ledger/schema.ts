import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { WIRE_POINTS_MAX } from "../../wire/limits.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const nullableText = Nullable(text);
const points = Type.Integer();
const name = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 1_000, description }));
const size = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum: WIRE_POINTS_MAX, description }));

/** The filters of a list of allotments, all of which must match. */
const filterFields = {
  type: name("Allotment types, comma-separated."),
  from: name("The first time that is shown; a plain date is that day of the store."),
  to: name("Before this time; a plain date is that day of the store, included."),
  source: name("Exactly the application, object, parent, action or the person who asked."),
  order: name("Id of an order."),
  customer: name("Id or e-mail of a customer."),
  direction: Type.Optional(Type.Enum(["earned", "spent"])),
  at_least: size("Points moved, without their sign."),
  at_most: size("Points moved, without their sign."),
};

export const ledgerFilters = Type.Object(filterFields);
export const ledgerQuery = Type.Object({
  ...filterFields,
  after: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
});
export const ledgerFileQuery = Type.Object({
  ...filterFields,
  encoding: Type.Optional(
    Type.Enum(["utf-8", "utf-8-bom"], { description: "With a byte order mark spreadsheets read it as UTF-8." }),
  ),
});

const customer = Type.Object({
  id: text,
  name: nullableText,
  email: nullableText,
  is_deleted: Type.Boolean({ description: "Has no page of its own any more." }),
});

const ledgerRow = Type.Object({
  uid: text,
  allotted_at: text,
  type: text,
  point_value: points,
  balance_after: points,
  customer,
  order_id: nullableText,
  order_name: nullableText,
  object: nullableText,
  parent: nullableText,
  action: nullableText,
  app_reference: text,
  actor: nullableText,
  reason_type: nullableText,
  note: nullableText,
});

export const ledgerPage = Type.Object({
  data: Type.Array(ledgerRow),
  next: nullableText,
  looked_back_to: Nullable(
    Type.String({ description: "The page is not full, and there may be more before this time." }),
  ),
});

export const ledgerTotals = Type.Object({
  data: Type.Object({
    is_whole: Type.Boolean({ description: "No: there are too many to add up, and the fields are 0." }),
    count: Type.Integer(),
    earned: points,
    spent: Type.Integer({ description: "At most 0." }),
  }),
});

const draw = Type.Object({ uid: text, points, type: text, allotted_at: text, order_id: nullableText });

/** The explanation of an allotment in its panel; `words` has all of it. */
export const ledgerExplanation = Type.Object({
  data: Type.Object({
    uid: text,
    customer: namedCustomer,
    type: text,
    point_value: points,
    allotted_at: text,
    balance_before: points,
    balance_after: points,
    source_key: text,
    order_id: nullableText,
    order_name: nullableText,
    object: nullableText,
    action: nullableText,
    app_reference: text,
    actor: nullableText,
    reason_type: nullableText,
    note: nullableText,
    program_version: Type.Integer(),
    draws: Type.Array(draw, { description: "What a deduction was taken from." }),
    used_by: Type.Array(draw, { description: "What used the points that were given." }),
    remaining: Type.Integer({ description: "Of the points that were given, what is left." }),
    words: Type.Array(text),
  }),
});

export const ledgerParams = Type.Object({ uid: text });

export type LedgerFilterQuery = Static<typeof ledgerFilters>;
export type LedgerRow = Static<typeof ledgerRow>;
export type LedgerPage = Static<typeof ledgerPage>;
export type LedgerExplanation = Static<typeof ledgerExplanation>["data"];
export type LedgerTotals = Static<typeof ledgerTotals>;
