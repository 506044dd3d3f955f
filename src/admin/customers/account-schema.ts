import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";
import { ACCOUNT_KINDS } from "../../wire/account-kinds.ts";

const text = Type.String();
const nullableText = Nullable(text);
const nullableTime = Nullable(Type.String({ format: "date-time" }));
const points = Type.Integer();

const accountLot = Type.Object({
  uid: nullableText,
  kind: nullableText,
  allotted_at: nullableTime,
  order_id: nullableText,
  order_name: nullableText,
  line_title: nullableText,
  point_value: Nullable(points),
  remaining: points,
  expires_at: nullableTime,
});
const account = Type.Object({
  words: Type.Array(text),
  available: points,
  opening: points,
  ledger_points: points,
  orders: Nullable(points),
  lines: Type.Array(Type.Object({ kind: Type.Enum([...ACCOUNT_KINDS]), count: points, given: points, taken: points })),
  lots: Type.Array(accountLot),
  lot_count: Type.Integer(),
});
export const accountAnswer = Type.Object({ data: account });

export type ShownAccount = Static<typeof account>;
