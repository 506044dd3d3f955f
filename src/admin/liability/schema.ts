import { type Static, Type } from "typebox";
import { BigInteger } from "../../http/big-integer.ts";
import { Nullable } from "../../http/nullable.ts";
import { namedCustomer } from "../named-customer.ts";

const text = Type.String();
const nullableText = Nullable(text);

const namedMovement = Type.Object({
  ...{ uid: text, allotted_at: text, type: text, points: BigInteger({}), app_reference: text },
  customer: Nullable(namedCustomer),
  order_id: nullableText,
  order_name: nullableText,
  object: nullableText,
  sales: nullableText,
});

export const namedMovementsAnswer = Type.Object({
  data: Type.Array(namedMovement),
  meta: Type.Object({ next_cursor: nullableText }),
});
export type NamedMovements = Static<typeof namedMovementsAnswer>;
