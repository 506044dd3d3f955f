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

const day = Type.String({ format: "date" });
export const statementQuery = Type.Object({
  from: Type.Optional(Type.String({ ...day, expected: "a date, such as 2026-03-01" })),
  until: Type.Optional(Type.String({ ...day, expected: "a date, such as 2026-03-31" })),
});
const statement = Type.Object({
  customer: Type.Object({ id: text, name: nullableText, email: nullableText }),
  from: text,
  until: text,
  today: text,
  opening: points,
  closing: points,
  available: points,
  orders: Nullable(points),
  lines: Type.Array(Type.Object({ kind: text, count: points, given: points, taken: points })),
  earlier_count: points,
  earlier_points: points,
  movements: Type.Array(
    Type.Object({
      at: Type.String({ format: "date-time" }),
      kind: text,
      points,
      balance_after: points,
      order_id: nullableText,
      order_name: nullableText,
      titles: Type.Array(text),
    }),
  ),
  expiries: Type.Array(Type.Object({ expires_at: nullableTime, points })),
  later: points,
});
export const statementAnswer = Type.Object({ data: statement });

export type ShownStatement = Static<typeof statement>;
export type ShownAccount = Static<typeof account>;
