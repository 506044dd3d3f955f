import { type Static, Type } from "typebox";
import { Nullable } from "../../http/nullable.ts";

const text = Type.String();
const count = Type.Integer();
const minor = Type.Integer({ description: "Minor units of the store's currency." });

const buyers = Type.Object({ orders: count, revenue_minor: minor });
const buyersMonth = Type.Object({
  from: Type.String({ description: "The month's first day." }),
  to: Type.String({ description: "The month's last day." }),
  members: buyers,
  guests: buyers,
});
export const membersAndGuestsAnswer = Type.Object({
  data: Type.Array(buyersMonth, { description: "The newest month first." }),
  counted_at: Nullable(text),
});

export type MembersAndGuestsAnswer = Static<typeof membersAndGuestsAnswer>;
export type BuyersMonthRow = Static<typeof buyersMonth>;
